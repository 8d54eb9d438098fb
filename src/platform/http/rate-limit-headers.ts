import type { FastifyRequest } from 'fastify';
import type { HttpApp } from './app-type.ts';
import type { Standing } from './rate-limit.ts';

const standings = new WeakMap<FastifyRequest, Standing>();

/** Notes where the caller stands in the limit that a request was counted in; its answer then says so. */
export function noteStanding(request: FastifyRequest, standing: Standing | undefined): void {
  if (standing) standings.set(request, standing);
}

/** `ratelimit-limit`, `ratelimit-remaining` and `ratelimit-reset` (seconds) on each answer that was counted. */
export function addRateLimitHeaders(app: HttpApp): void {
  app.addHook('onSend', async (request, reply) => {
    const standing = standings.get(request);
    if (!standing) return;
    reply.header('ratelimit-limit', String(standing.limit));
    reply.header('ratelimit-remaining', String(standing.remaining));
    reply.header('ratelimit-reset', String(Math.ceil(standing.resetAfter)));
  });
}
