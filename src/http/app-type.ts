import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route's path is there for whoever asks; a wrong method answers 405 only where it is. Without it: for everybody. */
    existsFor?: (request: FastifyRequest) => Promise<boolean>;
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
