import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Route } from './contract.ts';
import type { Rate } from './rate-limit.ts';

/** How often a route may be called: the rates of the limiters that run before its handler. */
export interface RouteLimit {
  /** What the requests are counted by. */
  readonly per: 'address' | 'member' | 'organization';
  readonly rates: readonly (Rate | undefined)[];
}

/**
 * Decides who may call a route. Every route under `/api` declares a guard in `config.guard`. The guard runs before the
 * body is read.
 */
export interface Guard {
  /** The rule in words, such as `member`, for the list of all routes. */
  readonly description: string;
  /** The limit that `check` enforces. */
  readonly limit?: RouteLimit | undefined;
  /** Throws an `AppError` if the request may not reach the route. */
  check(request: FastifyRequest): Promise<void>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Guard of the route. A test requires one for every route under `/api`. */
    guard?: Guard;
    /** Limit of a route whose guard enforces none. A test requires a limit for every route that writes. */
    limit?: RouteLimit;
    /**
     * Returns whether the path exists for this caller (default: true). A hidden path is answered like an unknown one.
     */
    isVisibleTo?: (request: FastifyRequest) => Promise<boolean>;
    /** The route's contract, from which the OpenAPI document is generated. */
    definition?: Route;
    /** True if `x-demo-tour` changes the response, as docs/reference/openapi.json states. */
    variesByDemoTour?: boolean;
  }
}

/** Fastify application to which features add their routes. Schemas are zod. */
export type HttpApp = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;
