import type { HttpApp } from './app-type.ts';
import { route } from './route.ts';
import { routes } from './contract.ts';
import { withTimeout } from './with-timeout.ts';

/** A dependency that must work before the service receives requests. `ok` never throws and has its own timeout. */
interface ReadinessCheck {
  name: string;
  ok(): Promise<boolean>;
}

const CHECK_TIMEOUT_MS = 2_000;

/**
 * Adds `/healthz` (the process responds) and `/readyz` (its dependencies respond, each named). `/readyz` is 503 if one
 * fails. Both are 503 once a stop has begun (server.ts).
 */
export function addHealthRoutes(app: HttpApp, checks: readonly ReadinessCheck[]): void {
  route(app, routes.getHealth, async () => ({ status: 'ok' as const }));

  route(app, routes.getReadiness, async (_request, reply) => {
    const results = await Promise.all(
      checks.map(async (check) => [check.name, (await isOkWithinTimeout(check)) ? 'ok' : 'failed'] as const),
    );
    const isReady = results.every(([, result]) => result === 'ok');
    reply.header('cache-control', 'no-store');
    return reply
      .code(isReady ? 200 : 503)
      .send({ status: isReady ? 'ready' : 'not_ready', checks: Object.fromEntries(results) });
  });
}

const isOkWithinTimeout = (check: ReadinessCheck): Promise<boolean> =>
  withTimeout(
    CHECK_TIMEOUT_MS,
    check.ok().catch(() => false),
    () => false,
  );
