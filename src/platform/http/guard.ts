import type { FastifyRequest } from 'fastify';
import { Failure } from '../../errors.ts';
import type { Guard, HttpApp } from './app-type.ts';

/** The decision that anyone may ask, with the reason why. */
export const openTo = (anyone: string): Guard => ({ says: `open: ${anyone}`, check: async () => {} });

const READS = new Set(['GET', 'HEAD']);

/** Declares the guards of every route of `scope` that names none itself; call it before the first of them. */
export function guardRoutes(scope: HttpApp, { reads, writes }: { reads: Guard; writes: Guard }): void {
  scope.addHook('onRoute', (route) => {
    const guard = [route.method].flat().every((method) => READS.has(method)) ? reads : writes;
    route.config = { guard, ...route.config };
  });
}

/** Milliseconds for which a guard's decision holds while the body arrives. */
const DECISION_MS = 5_000;

/**
 * Runs each route's guard, and again where the body took longer than `decisionMs`: its caller may have lost their right
 * meanwhile. A path that does not exist for the caller is NOT_FOUND before anything else is refused.
 */
export function runGuards(app: HttpApp, { decisionMs = DECISION_MS } = {}): void {
  app.addHook('onRequest', async (request) => {
    const { config } = request.routeOptions;
    if ((await config?.existsFor?.(request)) === false) throw new Failure('NOT_FOUND');
    await config?.guard?.check(request);
  });
  const decidedAt = new WeakMap<FastifyRequest, number>();
  app.addHook('preParsing', async (request) => void decidedAt.set(request, performance.now()));
  app.addHook('preValidation', async (request) => {
    if (performance.now() - decidedAt.get(request)! > decisionMs)
      await request.routeOptions.config?.guard?.check(request);
  });
}
