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

/** Who may call a route. Every route under `/api` declares one in `config.guard`; it runs before a body is read. */
export interface Guard {
  /** The decision in words, such as `member`; what a list of all routes shows. */
  readonly description: string;
  /** Throws a `Failure` where the request may not reach the route. */
  check(request: FastifyRequest): Promise<void>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route; a route under `/api` without one is refused by a test. */
    guard?: Guard;
    /** Whether the path exists for this caller (default: it does); if not, it answers as an unknown path. */
    isVisibleTo?: (request: FastifyRequest) => Promise<boolean>;
    /** What the contract says of the route; the OpenAPI document is written from it. */
    definition?: Route;
    /** Whether `x-demo-tour` changes the answer, as docs/reference/openapi.json states. */
    variesByDemoTour?: boolean;
  }
}

/** The Fastify application that slices hang their routes on; schemas are zod. */
export type HttpApp = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;
