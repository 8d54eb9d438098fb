import type { AddressInfo } from 'node:net';
import { createLogger } from '../../src/platform/http/logger.ts';
import { createMetrics } from '../../src/platform/http/metrics.ts';
import type { UsageTier } from '../../src/features/token-api/queries.ts';
import { createApiKey } from '../../src/features/token-api/create-api-key.ts';
import { createTokenCounting, type TokenCountingDependencies } from '../../src/features/token-api/token-counting.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { createScopedHttpApp } from './http-app.ts';
import type { TestScope } from './test-scope.ts';

export interface CountServer {
  url: string;
  /** An API key of an organization in usage tier 4. */
  key: string;
  database: TestDatabase;
  /** Creates a key of another organization. */
  createKey(organisation: string, usageTier?: UsageTier): Promise<string>;
  /**
   * Posts a body to the count route with a key (by default `key`). An object is sent as JSON, a text or bytes
   * unchanged.
   */
  post(
    body: object | string,
    options?: { key?: string; signal?: AbortSignal; headers?: Record<string, string> },
  ): Promise<Response>;
  readMetrics(): Promise<string>;
  close(): Promise<void>;
}

const encodeBody = (body: object | string): string | Uint8Array<ArrayBuffer> => {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
};

/**
 * Starts the token-counting feature behind the real HTTP server on a free port with a new database. Close it in `after`.
 */
export async function startCountServer(
  { logger = createLogger('silent'), ...options }: Partial<Omit<TokenCountingDependencies, 'sql' | 'metrics'>> = {},
  t?: TestScope,
): Promise<CountServer> {
  const database = await createTestDatabase();
  const sql = database.database.service;
  const metrics = createMetrics();
  const counting = createTokenCounting({ sql, logger, metrics, rateLimits: 'off', workers: 1, ...options });
  const app = await createScopedHttpApp(
    { logger, metrics, bodyLimit: 1_000_000, requestTimeout: 30_000, https: options.https ?? false },
    { v1: counting.registerV1, addOtherRoutes: counting.register },
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  const newKey = async (organisation: string, usageTier: UsageTier = 4): Promise<string> => {
    const created = await createApiKey(sql, { organisation, usageTier }, 'test');
    if (!created.ok) throw new Error('no key');
    return created.key;
  };
  const close = async (): Promise<void> => {
    await app.close();
    await counting.close();
    await database.drop();
  };
  t?.onTestFinished(close);
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const defaultKey = await newKey('Test');
  return {
    url,
    key: defaultKey,
    database,
    createKey: newKey,
    post: (body, { key = defaultKey, signal, headers } = {}) =>
      fetch(`${url}/v1/messages/count_tokens`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'svc-version': '2023-06-01', 'content-type': 'application/json', ...headers },
        body: encodeBody(body),
        ...(signal && { signal }),
      }),
    readMetrics: () => metrics.registry.metrics(),
    close,
  };
}
