import type {
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteHandlerMethod,
} from 'fastify';
import { z } from 'zod';
import type { ErrorCode } from '../../errors.ts';
import type { Guard, HttpApp } from './app-type.ts';
import type { Route } from './contract.ts';

/** A route whose error codes are listed in `errors.ts`. */
type MountableRoute = Omit<Route, 'errors'> & { errors?: readonly (ErrorCode | z.ZodObject)[] };
type Parsed<Part> = Part extends z.ZodType ? z.output<Part> : unknown;
type SentBody<Part> = Part extends z.ZodType ? z.input<Part> : string | Buffer;
type RequestParts<R> = {
  [Name in 'params' | 'query' | 'body']: R extends { [N in Name]: infer Part } ? Parsed<Part> : unknown;
};

/**
 * Handles a request with parts parsed by the contract. The reply type allows only the bodies of the contract per
 * status.
 */
type Handler<R extends MountableRoute> = RouteHandlerMethod<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  {
    Params: RequestParts<R>['params'];
    Querystring: RequestParts<R>['query'];
    Body: RequestParts<R>['body'];
    Reply: { [Status in keyof R['responses']]: SentBody<R['responses'][Status]> };
  }
>;

/** Settings of a route besides its contract. */
interface RouteSettings {
  /** Guard of the route (default: the guard of the scope, `guardRoutes`). */
  guard?: Guard;
  /** Maximum body size in bytes. */
  bodyLimit?: number;
}

/** Mounts a route of a contract. Its schemas parse requests and validate responses. Errors are thrown as `AppError`. */
export function route<const R extends MountableRoute>(app: HttpApp, definition: R, handler: Handler<R>): void;
export function route<const R extends MountableRoute>(
  app: HttpApp,
  definition: R,
  settings: RouteSettings,
  handler: Handler<R>,
): void;
export function route(app: HttpApp, definition: MountableRoute, ...rest: readonly unknown[]): void {
  const [{ guard, ...settings }, handler] = (rest.length === 1 ? [{}, ...rest] : rest) as [RouteSettings, unknown];
  const { method, path, params, query, body, responses } = definition;
  const response = Object.fromEntries(Object.entries(responses).filter(([, schema]) => schema instanceof z.ZodType));
  app.route({
    ...settings,
    method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { definition, ...(guard && { guard }) },
    schema: { ...(params && { params }), ...(query && { querystring: query }), ...(body && { body }), response },
    handler,
  } as never);
}
