import { z } from 'zod';

/** A response other than JSON, by its possible media types. */
interface FileResponse {
  description: string;
  mediaTypes: readonly `${'text' | 'image'}/${string}`[];
}

/** A JSON file whose text the route writes itself, so that no number is rounded. The schema is only documented. */
interface JsonFileResponse {
  description: string;
  jsonFile: z.ZodType;
}

/** A group of routes in the OpenAPI document. */
export interface Tag {
  name: string;
  description: string;
}

/**
 * One route as declared in the contract of its feature. The server mounts it (`http/route.ts`), the web client derives
 * its types (`ui/shell/api/api-routes.ts`), and the OpenAPI document describes it (`http/openapi/`).
 */
export interface Route {
  /** Operation id, unique in the whole service. */
  id: string;
  tag: Tag;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with parameters in braces: `/api/watchlist/{id}`. */
  path: `/${string}`;
  summary: string;
  description?: string;
  /**
   * Callers of the route (default: member). The errors of this access level are added by rule. `optional-member` also
   * answers callers without a credential.
   */
  access?: 'member' | 'optional-member' | 'api-key' | 'operator' | 'operator-session' | 'public';
  /** True if `x-demo-tour` changes the response. */
  variesByDemoTour?: boolean;
  params?: z.ZodObject;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  body?: z.ZodType;
  /** Response by status. Uses `noContent` if there is no body. */
  responses: Readonly<Record<number, z.ZodType | FileResponse | JsonFileResponse>>;
  /**
   * Errors beyond those added by rule: codes of `errors.ts`, or the whole body if it has more fields (`errorSchema`).
   */
  errors?: readonly (string | z.ZodObject)[];
}

/** A route as declared. `endpoint` is method and path in the callers' form: `DELETE /api/watchlist/{id}`. */
type RouteDeclaration = Omit<Route, 'id' | 'tag' | 'method' | 'path'> & {
  endpoint: `${Route['method']} ${Route['path']}`;
};
type SharedRouteSettings = Pick<Route, 'tag' | 'access' | 'variesByDemoTour' | 'errors'>;

/** Builds the route map of a contract. Each name is the operation id, and `shared` applies to all routes. */
export function defineRoutes<const Map extends Readonly<Record<string, RouteDeclaration>>>(
  shared: SharedRouteSettings,
  routes: Map,
) {
  const entries = Object.entries(routes).map(([id, route]) => {
    const [method, path] = route.endpoint.split(' ');
    const errors = [...(shared.errors ?? []), ...(route.errors ?? [])];
    return [id, { ...shared, ...route, id, method, path, errors }] as const;
  });
  return Object.fromEntries(entries) as unknown as {
    readonly [Id in keyof Map]: Map[Id] & Pick<Route, 'id' | 'tag' | 'method' | 'path'>;
  };
}

/** Returns an object schema with a separate name in the OpenAPI document. */
export const namedObject = <Fields extends z.core.$ZodLooseShape>(id: string, fields: Fields) =>
  z.object(fields).meta({ id });

/** Returns a named object schema that rejects other fields. */
export const namedStrictObject = <Fields extends z.core.$ZodLooseShape>(id: string, fields: Fields) =>
  z.strictObject(fields).meta({ id });

/** Returns the schema of a response without a body. */
export const noContent = (description: string) => z.undefined().describe(description);

/** Returns the schema of an error body with fields beyond code and message. */
export const errorSchema = <Code extends string, More extends z.ZodRawShape>(code: Code, extraFields: More) =>
  z.object({ code: z.literal(code), message: z.string(), ...extraFields });

/** An invalid part of the request with its path and message. For a query, `path` is the parameter name. */
const issue = namedObject('Issue', { path: z.string(), message: z.string() });

export const invalidRequest = errorSchema('INVALID_REQUEST', { issues: z.array(issue).optional() });

/** Error of a member who has reached a limit. */
export const limitReached = errorSchema('LIMIT_REACHED', { limit: z.int().positive() });

/** An instant in UTC with milliseconds. */
export const instant = z.iso.datetime({ precision: 3 });

const publicSettings = z
  .object({
    base_url: z.string(),
    frontend_api_url: z.string(),
    publishable_key: z.string(),
    sign_up: z
      .enum(['open', 'invite', 'closed'])
      .describe('Who may sign up: everybody, holders of an invitation, or nobody.'),
    password_recovery: z
      .enum(['email', 'operator'])
      .nullable()
      .describe('Who sends the link that sets a new password. Null if a hosted identity provider does.'),
    passkey_domain: z
      .string()
      .nullable()
      .describe('Host name of the pages that offer passkeys. Null if a hosted identity provider does, or none can.'),
    demo_account: z
      .object({
        idp_user_id: z.string(),
        reset_at: z.string().nullable().describe('HH:MM in UTC, or null if its data is not reset each day.'),
      })
      .nullable()
      .describe('The shared demo account, if there is one.'),
    sample_user: z
      .object({ idp_user_id: z.string() })
      .nullable()
      .describe('The read-only sample user, if visitors may open a sample portfolio.'),
  })
  .meta({
    id: 'PublicSettings',
    description: 'Public configuration that a browser needs to sign in. It contains no secret.',
  });

export type PublicSettings = z.infer<typeof publicSettings>;

const readiness = z
  .object({
    status: z.enum(['ready', 'not_ready']),
    checks: z.record(z.string(), z.enum(['ok', 'failed'])),
    degraded: z
      .array(z.string())
      .optional()
      .meta({ description: 'Faults that every server has and that leave reads working: `disk` is full.' }),
    lost_nodes: z
      .array(z.string())
      .optional()
      .meta({ description: 'Workers of a database cluster that do not respond. Their members get 503.' }),
  })
  .meta({ id: 'Readiness', description: 'Whether the service is ready, and the state of each dependency.' });

export const routes = defineRoutes(
  {
    tag: { name: 'Service', description: 'Health and public configuration of the service.' },
    access: 'public',
  },
  {
    getHealth: {
      endpoint: 'GET /healthz',
      summary: 'Check liveness',
      responses: { 200: z.object({ status: z.literal('ok') }) },
    },
    getReadiness: {
      endpoint: 'GET /readyz',
      summary: 'Check readiness',
      responses: { 200: readiness, 503: readiness },
    },
    getPublicSettings: {
      endpoint: 'GET /api/config',
      summary: 'Get the public configuration',
      responses: { 200: publicSettings },
    },
  },
);
