import type {
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteHandlerMethod,
  RouteOptions,
} from 'fastify';
import { z } from 'zod';
import type { FailureCode } from '../errors.ts';
import type { HttpApp } from './app-type.ts';
import type { Route } from './contract.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the contract says of the route; the OpenAPI document is written from it. */
    definition?: Route;
    /** Stands in no contract: a page, a webhook, a measurement. */
    isInternal?: boolean;
  }
}

/** A route whose refusals are codes of ours. */
type Mountable = Omit<Route, 'refusals'> & { refusals?: readonly (FailureCode | z.ZodObject)[] };
type Parsed<Part> = Part extends z.ZodType ? z.output<Part> : unknown;
type Sent<Part> = Part extends z.ZodType ? z.input<Part> : string | Buffer;
type Parts<R> = {
  [Name in 'params' | 'query' | 'body']: R extends { [N in Name]: infer Part } ? Parsed<Part> : unknown;
};

/** Answers a request whose parts were parsed by the contract, with what the contract allows at each status. */
export type Handler<R extends Mountable> = RouteHandlerMethod<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  {
    Params: Parts<R>['params'];
    Querystring: Parts<R>['query'];
    Body: Parts<R>['body'];
    Reply: { [Status in keyof R['responses']]: Sent<R['responses'][Status]> };
  }
>;

/** What Fastify is told beside the contract: hooks, limits. */
export type RouteSettings = Partial<Pick<RouteOptions, 'config' | 'bodyLimit' | 'onRequest'>>;

/** Mounts a route of a contract. Requests are parsed and answers checked by its schemas; refusals are thrown as `Failure`. */
export function route<const R extends Mountable>(
  app: HttpApp,
  definition: R,
  handler: Handler<R>,
  settings: RouteSettings = {},
): void {
  const { method, path, params, query, body, responses } = definition;
  const response = Object.fromEntries(Object.entries(responses).filter(([, schema]) => schema instanceof z.ZodType));
  app.route({
    ...settings,
    method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { ...settings.config, definition },
    schema: { ...(params && { params }), ...(query && { querystring: query }), ...(body && { body }), response },
    handler,
  } as never);
}
