import type { AppDependencies } from './app-dependencies.ts';
import { listPendingMigrations } from '../platform/database/migrate.ts';
import type { HttpApp } from '../platform/http/app-type.ts';
import { addHealthRoutes } from '../platform/http/health.ts';
import { addMetricsRoute } from '../platform/http/metrics-route.ts';
import type { RequestMetrics } from '../platform/http/metrics.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';

/** Time in ms within which a whole request must arrive. */
export const REQUEST_TIMEOUT_MS = 60_000;

/** Time in ms before a shutdown, long enough for a proxy that polls /readyz twice a second. */
const DRAIN_DELAY_MS = 2_000;

/** Returns the ms for which a stopping server still serves, so that proxies see it in /readyz. 0 without proxies. */
export const getDrainDelay = (trustedProxies: readonly string[]): number =>
  trustedProxies.length > 0 ? DRAIN_DELAY_MS : 0;

/** Adds `/healthz`, `/readyz` with the checks of the database, its migrations and the queue, and metrics. */
export function addHealthAndMetrics(
  scope: HttpApp,
  { config, database }: Pick<AppDependencies, 'config' | 'database'>,
  { jobs, metrics }: { jobs: Jobs; metrics: RequestMetrics },
): void {
  const listLostNodes = async (): Promise<string[]> =>
    (await database.listWorkers()).filter(({ isUp }) => !isUp).map(({ name }) => name);
  const checks = [
    { name: 'database', ok: () => database.ping() },
    { name: 'migrations', ok: async () => (await listPendingMigrations(database.service)).length === 0 },
    { name: 'queue', ok: () => jobs.isQueueReady() },
  ];
  const listDegraded = (): string[] => (database.hasDiskSpace() ? [] : ['disk']);
  addHealthRoutes(scope, checks, { listDegraded, listLostNodes });
  addMetricsRoute(scope, metrics, config.METRICS_TOKEN);
}
