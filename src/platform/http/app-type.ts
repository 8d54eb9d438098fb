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

/**
 * Decides who may call a route. Every route under `/api` declares a guard in `config.guard`. The guard runs before the
 * body is read.
 */
export interface Guard {
  /** The rule in words, such as `member`, for the list of all routes. */
  readonly description: string;
  /** Throws an `AppError` if the request may not reach the route. */
  check(request: FastifyRequest): Promise<void>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Guard of the route. A test requires one for every route under `/api`. */
    guard?: Guard;
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

/** Fastify application to which slices add their routes. Schemas are zod. */
export type HttpApp = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;
