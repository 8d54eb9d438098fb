import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import type { Guard, HttpApp } from './app-type.ts';

/** Returns a guard that admits every caller, with the reason. */
export const publicGuard = (reason: string): Guard => ({ description: `open: ${reason}`, check: async () => {} });

const READ_METHODS = new Set(['GET', 'HEAD']);

/** Sets the default guards of a scope for routes that declare none. Call it before the first route. */
export function guardRoutes(scope: HttpApp, { reads, writes }: { reads: Guard; writes: Guard }): void {
  scope.addHook('onRoute', (route) => {
    const guard = [route.method].flat().every((method) => READ_METHODS.has(method)) ? reads : writes;
    route.config = { guard, ...route.config };
  });
}

/** Time in ms for which a guard's decision is valid while the body is received. */
const DECISION_TTL_MS = 5_000;

/**
 * Runs the guard of each route, and again if the body took longer than `decisionMs`, because the caller may have lost
 * access. A path that is hidden from the caller is NOT_FOUND before any other error.
 */
export function runGuards(app: HttpApp, { decisionMs = DECISION_TTL_MS } = {}): void {
  app.addHook('onRequest', async (request) => {
    const { config } = request.routeOptions;
    if ((await config?.isVisibleTo?.(request)) === false) throw new AppError('NOT_FOUND');
    await config?.guard?.check(request);
  });
  const decidedAt = new WeakMap<FastifyRequest, number>();
  app.addHook('preParsing', async (request) => {
    decidedAt.set(request, performance.now());
  });
  app.addHook('preValidation', async (request) => {
    if (performance.now() - decidedAt.get(request)! > decisionMs)
      await request.routeOptions.config?.guard?.check(request);
  });
}
