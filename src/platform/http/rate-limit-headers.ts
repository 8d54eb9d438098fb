import type { FastifyRequest } from 'fastify';
import type { HttpApp } from './app-type.ts';
import type { RateLimitState } from './rate-limit.ts';

const stateByRequest = new WeakMap<FastifyRequest, RateLimitState>();

/** Records the state of the limit that counted the request, for the response headers. */
export function recordRateLimitState(request: FastifyRequest, state: RateLimitState | undefined): void {
  if (state) stateByRequest.set(request, state);
}

/** Adds `ratelimit-limit`, `ratelimit-remaining` and `ratelimit-reset` (seconds) to each counted response. */
export function addRateLimitHeaders(app: HttpApp): void {
  app.addHook('onSend', async (request, reply) => {
    const state = stateByRequest.get(request);
    if (!state) return;
    reply.header('ratelimit-limit', String(state.limit));
    reply.header('ratelimit-remaining', String(state.remaining));
    reply.header('ratelimit-reset', String(Math.ceil(state.resetAfter)));
  });
}
