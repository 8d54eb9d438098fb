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

/** Who may ask for a route. Every route under `/api` declares one in its `config.guard`; it runs before a body is
 * read. */
export interface Guard {
  /** The decision in words, such as `member`; what a list of all routes shows. */
  readonly says: string;
  /** Throws a `Failure` where the request may not reach the route. */
  check(request: FastifyRequest): Promise<void>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may ask; without one nobody decided, which no route under `/api` may leave open. */
    guard?: Guard;
    /** Whether the route's path is there for whoever asks; where it is not, the answer is an unknown path's. Without
     * it: for everybody. */
    existsFor?: (request: FastifyRequest) => Promise<boolean>;
    /** What the contract says of the route; the OpenAPI document is written from it. */
    definition?: Route;
    /** Whether `x-demo-tour` changes the answer; said in docs/openapi.json. */
    followsDemoTour?: boolean;
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
