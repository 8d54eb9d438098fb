import type { HttpApp } from '../../src/platform/http/app-type.ts';
import { createLogger } from '../../src/platform/http/logger.ts';
import { createMetrics } from '../../src/platform/http/metrics.ts';
import { createHttpServer } from '../../src/platform/http/server.ts';

type Options = Partial<Parameters<typeof createHttpServer>[0]>;

function createServer(options: Options) {
  const defaults = { logger: createLogger('silent'), metrics: createMetrics(), trustedProxies: [], https: false };
  return createHttpServer({ ...defaults, bodyLimit: 100_000, requestTimeout: 10_000, ...options });
}

/** Creates an application without routes or a log. The caller closes it. */
export async function createTestHttpApp(options: Options = {}): Promise<HttpApp> {
  const { http, addPageHooks } = createServer(options);
  await addPageHooks(http);
  return http;
}

/** Creates an application with separate scopes for `/v1` and all other routes, like `app.ts`. */
export async function createScopedHttpApp(
  options: Options,
  addRoutes: { v1: (scope: HttpApp) => void; addOtherRoutes: (scope: HttpApp) => void },
): Promise<HttpApp> {
  const { http, addPageHooks } = createServer(options);
  await http.register(async (scope: HttpApp) => addRoutes.v1(scope), { prefix: '/v1' });
  await http.register(async (scope: HttpApp) => {
    await addPageHooks(scope);
    addRoutes.addOtherRoutes(scope);
  });
  return http;
}
