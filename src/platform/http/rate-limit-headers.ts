import type { FastifyRequest } from 'fastify';
import type { HttpApp } from './app-type.ts';
import type { RateLimitState } from './rate-limit.ts';

const stateByRequest = new WeakMap<FastifyRequest, RateLimitState>();

/** Notes where the caller stands in the limit that a request was counted in; its answer then says so. */
export function recordRateLimitState(request: FastifyRequest, state: RateLimitState | undefined): void {
  if (state) stateByRequest.set(request, state);
}

/** `ratelimit-limit`, `ratelimit-remaining` and `ratelimit-reset` (seconds) on each answer that was counted. */
export function addRateLimitHeaders(app: HttpApp): void {
  app.addHook('onSend', async (request, reply) => {
    const state = stateByRequest.get(request);
    if (!state) return;
    reply.header('ratelimit-limit', String(state.limit));
    reply.header('ratelimit-remaining', String(state.remaining));
    reply.header('ratelimit-reset', String(Math.ceil(state.resetAfter)));
  });
}
