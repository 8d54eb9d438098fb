import type { HttpApp } from './app-type.ts';
import { route } from './route.ts';
import { routes } from './contract.ts';
import { withTimeout } from './with-timeout.ts';

/** A dependency that must work before the service receives requests. `ok` never throws and has its own timeout. */
interface ReadinessCheck {
  name: string;
  ok(): Promise<boolean>;
}

/** What `/readyz` names without becoming 503, since every other server has the same fault and still answers reads. */
interface Degradations {
  /** Returns the faults that leave reads working. */
  listDegraded(): readonly string[];
  /** Returns the workers of a database cluster that do not respond. The members on other workers are served. */
  listLostNodes(): Promise<readonly string[]>;
}

const CHECK_TIMEOUT_MS = 2_000;

/**
 * Adds `/healthz` (the process responds) and `/readyz` (its dependencies respond, each named). `/readyz` is 503 if one
 * fails, and a line of the log says so when that changes. Both are 503 once a stop has begun (server.ts).
 */
export function addHealthRoutes(
  app: HttpApp,
  checks: readonly ReadinessCheck[],
  { listDegraded, listLostNodes }: Degradations = { listDegraded: () => [], listLostNodes: async () => [] },
): void {
  route(app, routes.getHealth, async () => ({ status: 'ok' as const }));

  let wasReady = true;
  route(app, routes.getReadiness, async (request, reply) => {
    const [lostNodes, ...results] = await Promise.all([
      withTimeout(CHECK_TIMEOUT_MS, listLostNodes(), () => []),
      ...checks.map(async (check) => [check.name, (await isOkWithinTimeout(check)) ? 'ok' : 'failed'] as const),
    ]);
    const isReady = results.every(([, result]) => result === 'ok');
    const failed = results.filter(([, result]) => result === 'failed').map(([name]) => name);
    if (wasReady && !isReady) request.log.warn({ failed }, 'not ready');
    if (!wasReady && isReady) request.log.info('ready again');
    wasReady = isReady;
    const degraded = listDegraded();
    reply.header('cache-control', 'no-store');
    return reply.code(isReady ? 200 : 503).send({
      status: isReady ? 'ready' : 'not_ready',
      checks: Object.fromEntries(results),
      ...(degraded.length > 0 && { degraded: [...degraded] }),
      ...(lostNodes.length > 0 && { lost_nodes: [...lostNodes] }),
    });
  });
}

const isOkWithinTimeout = (check: ReadinessCheck): Promise<boolean> =>
  withTimeout(
    CHECK_TIMEOUT_MS,
    check.ok().catch(() => false),
    () => false,
  );
