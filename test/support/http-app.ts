import type { HttpApp } from '../../src/http/app-type.ts';
import { createLogger } from '../../src/http/logger.ts';
import { createMetrics } from '../../src/http/metrics.ts';
import { createHttpApp } from '../../src/http/server.ts';

/** An application without routes and without a log; the caller closes it. */
export function createTestHttpApp(options: Partial<Parameters<typeof createHttpApp>[0]> = {}): Promise<HttpApp> {
  const parts = { logger: createLogger('silent'), metrics: createMetrics(), trustedProxies: [], https: false };
  return createHttpApp({ ...parts, bodyLimit: 100_000, requestTimeout: 10_000, ...options });
}
