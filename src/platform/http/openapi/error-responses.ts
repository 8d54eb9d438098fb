import type { z } from 'zod';
import { type ErrorCode, errorMessages } from '../../../errors.ts';
import { invalidRequest, errorSchema, type Route } from '../contract.ts';
import { statusByErrorCode } from '../status.ts';
import { addSchema, type Components, toJsonSchema } from './components.ts';
import { getHeaderReferences, rateLimitHeaders } from './shared-components.ts';

/** Returns the error responses of an `/api` route by status: its own errors and those added by rule. */
export function toErrorResponses(components: Components, route: Route): Record<string, object> {
  const byStatus = new Map<number, Map<ErrorCode, z.ZodObject>>();
  for (const [code, body] of [...listErrorsByRule(route), ...(route.errors ?? [])].map(toNamedError)) {
    const status = statusByErrorCode[code];
    if (status === undefined) throw new Error(`${route.id} has an error code that errors.ts does not define: ${code}`);
    byStatus.set(status, (byStatus.get(status) ?? new Map<ErrorCode, z.ZodObject>()).set(code, body));
  }
  return Object.fromEntries(
    [...byStatus].map(([status, bodies]) => [status, toSharedResponse(components, status, bodies)]),
  );
}

function listErrorsByRule({ access = 'member', method, path, query }: Route): (ErrorCode | z.ZodObject)[] {
  const isMember = access === 'member';
  const hasCookieSession = isMember || access === 'operator-session';
  const isWrite = method !== 'GET';
  const codes: (ErrorCode | z.ZodObject)[] = [];
  // Every body is parsed and validated, even if the route expects none.
  if (isWrite || query) codes.push(invalidRequest);
  // A parameter that is longer than the router reads matches no route.
  if (path.includes('{')) codes.push('NOT_FOUND');
  if (isWrite) codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  if (hasCookieSession || access === 'operator') codes.push('UNAUTHENTICATED', 'RATE_LIMITED', 'UNAVAILABLE');
  if (access === 'operator') codes.push('NOT_CONFIGURED');
  if (hasCookieSession && isWrite) codes.push('CROSS_ORIGIN');
  return codes;
}

function toNamedError(declaredError: string | z.ZodObject): [ErrorCode, z.ZodObject] {
  if (typeof declaredError === 'string') return [declaredError as ErrorCode, errorSchema(declaredError, {})];
  return [(declaredError.shape['code'] as z.ZodLiteral<ErrorCode>).value, declaredError];
}

/** Returns a reference to the shared response for a status with these codes. */
function toSharedResponse(components: Components, status: number, bodies: Map<ErrorCode, z.ZodObject>): object {
  const codes = [...bodies.keys()].sort();
  const name = codes.map(toPascalCase).join('Or');
  components.responses[name] ??= {
    description: codes.map((code) => `${code}: ${errorMessages[code]}`).join(' '),
    headers: getHeaderReferences(
      'RequestId',
      status === 401 && 'WwwAuthenticate',
      (status === 429 || status === 503) && 'RetryAfter',
      ...(status === 429 ? rateLimitHeaders : []),
    ),
    content: { 'application/json': { schema: toUnionSchema(codes) } },
  };
  for (const [code, body] of bodies)
    addSchema(components, getSchemaName(code), toJsonSchema(components, body, 'output'));
  return { $ref: `#/components/responses/${name}` };
}

function toUnionSchema(codes: readonly ErrorCode[]): object {
  const refs = codes.map((code) => ({ $ref: `#/components/schemas/${getSchemaName(code)}` }));
  if (refs.length === 1) return refs[0]!;
  const mapping = Object.fromEntries(codes.map((code, index) => [code, refs[index]!.$ref]));
  return { oneOf: refs, discriminator: { propertyName: 'code', mapping } };
}

const getSchemaName = (code: ErrorCode): string => `${toPascalCase(code)}Error`;

const toPascalCase = (code: string): string =>
  code.toLowerCase().replace(/(^|_)(\w)/g, (_match, _mark: string, letter: string) => letter.toUpperCase());
