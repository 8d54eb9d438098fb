import assert from 'node:assert/strict';
import { test, type TestContext } from 'vitest';
import { startFakeRedis } from '../../test/fakes/redis.ts';
import type { TestDatabase } from '../../test/support/database.ts';
import { eventuallyEquals } from '../../test/support/eventually.ts';
import { createSeededDatabase, getDatabaseSettings } from '../../test/support/service.ts';
import { loadConfig } from '../config/load-config.ts';
import { start } from '../main.ts';

/** Starts a process that serves only the token API, and returns its address. It stops with the test. */
async function startTokenApi(t: TestContext, database: TestDatabase, redisUrl: string): Promise<string> {
  const config = loadConfig({
    ...getDatabaseSettings(database),
    REDIS_URL: redisUrl,
    METRICS_TOKEN: 'a-token-of-the-metrics',
    LOG_LEVEL: 'silent',
  });
  const service = await start(config, { only: 'token-api' });
  t.onTestFinished(() => service.stop());
  return service.url;
}

async function count(url: string, key: string): Promise<number> {
  const response = await fetch(`${url}/v1/messages/count_tokens`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'svc-version': '2023-06-01', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'claude-opus-4-6', messages: [{ role: 'user', content: 'Hello' }] }),
  });
  await response.body?.cancel();
  return response.status;
}

/** Ends all connections of the database and allows no other, until the returned function is called. */
async function shutOut(database: TestDatabase): Promise<() => Promise<unknown>> {
  await database.owner(`alter database ${database.name} connection limit 0`);
  await database.owner(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
  );
  return () => database.owner(`alter database ${database.name} connection limit -1`);
}

test('serves known keys without the database when one of two token API servers has seen them', async (t) => {
  const redis = await startFakeRedis();
  t.onTestFinished(() => redis.close());
  const { database, firstRun } = await createSeededDatabase(t);
  const first = await startTokenApi(t, database, redis.url);
  const second = await startTokenApi(t, database, redis.url);
  assert.equal(await count(first, firstRun.api_key), 200);
  await eventuallyEquals(() => redis.keys().some((key) => key.startsWith('tally:api-key:')), true);

  const letIn = await shutOut(database);
  assert.equal(await count(first, firstRun.api_key), 200);
  assert.equal(await count(second, firstRun.api_key), 200, 'known through Redis');
  const unknownKey = `sk-tally-${'a'.repeat(43)}`;
  assert.equal(await count(second, unknownKey), 529);
  assert.equal((await fetch(`${second}/readyz`)).status, 200, 'a balancer keeps the server');
  await letIn();
  await eventuallyEquals(() => count(second, unknownKey), 401);
});

test('serves no route of members when only the token API runs', async (t) => {
  const redis = await startFakeRedis();
  t.onTestFinished(() => redis.close());
  const { database } = await createSeededDatabase(t);
  const url = await startTokenApi(t, database, redis.url);
  for (const path of ['/', '/sign-in', '/api/watchlist', '/api/internal/demo-access', '/_idp/v1/client', '/mcp'])
    assert.equal((await fetch(url + path)).status, 404, path);
  const headers = { authorization: 'Bearer a-token-of-the-metrics' };
  assert.match(await (await fetch(`${url}/metrics`, { headers })).text(), /^tally_token_count_key_lookups_total 0$/m);
});

test('names DB_URL when only the token API is started on an embedded database', async () => {
  await assert.rejects(
    start(loadConfig({ DATA_DIR: '/nonexistent' }), { only: 'token-api' }),
    /setting DB_URL must be set/,
  );
});
