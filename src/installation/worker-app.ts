import type { AppDependencies } from './app-dependencies.ts';
import { addHealthAndMetrics, REQUEST_TIMEOUT_MS } from './operation-routes.ts';
import type { HttpApp } from '../platform/http/app-type.ts';
import type { RequestMetrics } from '../platform/http/metrics.ts';
import { createHttpServer } from '../platform/http/server.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';

/** Creates the application of a worker process, which serves its health and metrics alone. */
export async function createWorkerApp(
  deps: AppDependencies,
  { jobs, metrics }: { jobs: Jobs; metrics: RequestMetrics },
): Promise<HttpApp> {
  const { http, addPageHooks } = createHttpServer({
    logger: deps.logger,
    metrics,
    trustedProxies: [],
    bodyLimit: 1024,
    requestTimeout: REQUEST_TIMEOUT_MS,
    drainMs: 0,
    https: false,
  });
  await http.register(async (scope: HttpApp) => {
    await addPageHooks(scope);
    addHealthAndMetrics(scope, deps, { jobs, metrics });
  });
  return http;
}
