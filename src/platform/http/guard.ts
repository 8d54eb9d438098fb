import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import type { Guard, HttpApp } from './app-type.ts';

/** The decision that anyone may ask, with the reason why. */
export const publicGuard = (reason: string): Guard => ({ description: `open: ${reason}`, check: async () => {} });

const READ_METHODS = new Set(['GET', 'HEAD']);

/** Declares the guards of every route of `scope` that names none itself; call it before the first of them. */
export function guardRoutes(scope: HttpApp, { reads, writes }: { reads: Guard; writes: Guard }): void {
  scope.addHook('onRoute', (route) => {
    const guard = [route.method].flat().every((method) => READ_METHODS.has(method)) ? reads : writes;
    route.config = { guard, ...route.config };
  });
}

/** Milliseconds for which a guard's decision holds while the body arrives. */
const DECISION_TTL_MS = 5_000;

/**
 * Runs each route's guard, and again where the body took longer than `decisionMs`: its caller may have lost their right
 * meanwhile. A path that does not exist for the caller is NOT_FOUND before anything else is refused.
 */
export function runGuards(app: HttpApp, { decisionMs = DECISION_TTL_MS } = {}): void {
  app.addHook('onRequest', async (request) => {
    const { config } = request.routeOptions;
    if ((await config?.isVisibleTo?.(request)) === false) throw new AppError('NOT_FOUND');
    await config?.guard?.check(request);
  });
  const decidedAt = new WeakMap<FastifyRequest, number>();
  app.addHook('preParsing', async (request) => void decidedAt.set(request, performance.now()));
  app.addHook('preValidation', async (request) => {
    if (performance.now() - decidedAt.get(request)! > decisionMs)
      await request.routeOptions.config?.guard?.check(request);
  });
}
