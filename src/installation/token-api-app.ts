import type { App, AppDependencies } from './app-dependencies.ts';
import { createTokenCounting } from '../features/token-api/token-counting.ts';
import { openRedis } from './open-redis.ts';
import { getDrainDelay, REQUEST_TIMEOUT_MS } from './operation-routes.ts';
import { withPoolMetrics } from '../platform/database/pool-metrics.ts';
import type { HttpApp } from '../platform/http/app-type.ts';
import { addHealthRoutes } from '../platform/http/health.ts';
import { addMetricsRoute } from '../platform/http/metrics-route.ts';
import { createMetrics } from '../platform/http/metrics.ts';
import { createHttpServer } from '../platform/http/server.ts';
import { runFeatures } from './run-features.ts';

/**
 * Creates the application of a process that serves only the token-counting API, with health and metrics. `/readyz` does
 * not check the database, since known keys are accepted for a minute without it.
 */
export async function createTokenApiApp(deps: AppDependencies): Promise<App> {
  const { config, database, logger, baseUrl } = deps;
  const metrics = withPoolMetrics(createMetrics(deps.metricsPeers), database);
  const redis = await openRedis(config, logger, metrics.registry);
  const https = baseUrl.startsWith('https:');
  const tokenCounting = createTokenCounting({
    sql: database.service,
    logger,
    metrics,
    redis,
    rateLimits: config.TOKEN_COUNT_RATE_LIMITS,
    fetchUrls: config.TOKEN_COUNT_FETCH_URLS,
    browserAccess: config.TOKEN_COUNT_BROWSER_ACCESS,
    https,
  });
  const { http, addPageHooks } = createHttpServer({
    logger,
    metrics,
    trustedProxies: config.TRUSTED_PROXIES,
    bodyLimit: 1024,
    requestTimeout: REQUEST_TIMEOUT_MS,
    drainMs: getDrainDelay(config.TRUSTED_PROXIES),
    https,
  });
  await http.register(async (scope: HttpApp) => tokenCounting.registerV1(scope), { prefix: '/v1' });
  await http.register(async (scope: HttpApp) => {
    await addPageHooks(scope);
    addHealthRoutes(scope, []);
    addMetricsRoute(scope, metrics, config.METRICS_TOKEN);
  });
  const features = redis ? [redis, tokenCounting] : [tokenCounting];
  return { http, metrics, ...runFeatures(features, { http, logger }) };
}
