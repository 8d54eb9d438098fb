import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'vitest';
import { createTestDatabase } from '../../test/support/database.ts';
import { startFakeRedis } from '../../test/fakes/redis.ts';
import { checkDependencies } from './check-dependencies.ts';
import { loadConfig } from '../config/load-config.ts';
import { createKeyRing } from '../features/connections/key-ring.ts';
import { createLogger } from '../platform/http/logger.ts';

const KEY = 'a'.repeat(64);
const OTHER_KEY = 'b'.repeat(64);

/** Returns a check with these settings on a database with one credential that `KEY` encrypted. */
async function createCheck(t: Parameters<typeof createTestDatabase>[0]) {
  const { database, urls } = await createTestDatabase(t);
  const context = { table: 'connection_revocations', idpId: null, row: 'a', field: 'sealed' };
  const sealed = createKeyRing(KEY).encrypt('access', context);
  await database.service.query(
    `insert into public.connection_revocations (id, provider, sealed) values (gen_random_uuid(), 'plaid', $1)`,
    [sealed],
  );
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => lines.push(line) });
  const external = { DB_URL: urls.authenticator, DB_SERVICE_ROLE_KEY: 'k' };
  const check = (settings: Record<string, string>, handle = database) =>
    checkDependencies(loadConfig({ ...external, CONNECTIONS_KEY: KEY, ...settings }), {} as never, handle, logger);
  return { check, database, lines };
}

test('names CONNECTIONS_KEY when it is missing, or another key encrypted the stored connections', async (t) => {
  const { check, lines } = await createCheck(t);
  await check({});
  for (const key of [OTHER_KEY, ''])
    await assert.rejects(check({ CONNECTIONS_KEY: key }), {
      name: 'ConfigError',
      message: /^The setting CONNECTIONS_KEY must be the key that encrypted the stored connections/,
    });
  await check({ CONNECTIONS_KEY: OTHER_KEY, CONNECTIONS_KEY_PREVIOUS: KEY });
  await check({ CONNECTIONS_KEY: OTHER_KEY, CONNECTIONS_KEY_PREVIOUS: 'lost' });
  assert.deepEqual(lines, []);
});

test('rejects a token that equals one that was generated for another purpose', async (t) => {
  const { database, urls } = await createTestDatabase(t);
  const token = 'c'.repeat(64);
  const settings = { DB_URL: urls.authenticator, DB_SERVICE_ROLE_KEY: 'k', REVENUE_OPERATOR_TOKEN: token };
  const logger = createLogger('silent');
  const check = (generated: string) =>
    checkDependencies(loadConfig(settings), { demo_access_operator_token: generated } as never, database, logger);
  await check('d'.repeat(64));
  await assert.rejects(check(token), { name: 'ConfigError', message: /must have another value/ });
});

test('logs when the clock differs from that of the database', async (t) => {
  const { check, database, lines } = await createCheck(t);
  const seconds = Date.now() / 1_000 - 600;
  const service = { ...database.service, query: async () => [{ seconds }] as never[] };
  await check({ CONNECTIONS_KEY_PREVIOUS: 'lost' }, { ...database, service });
  assert.match(lines.join(''), /"seconds":600,"msg":"this server's clock differs from the database's/);
});

test('names REDIS_URL when Redis rejects the password', async (t) => {
  const { check } = await createCheck(t);
  const server = createServer((socket) => {
    socket.on('error', () => {}).on('data', () => socket.write('-WRONGPASS invalid username-password pair\r\n'));
  }).listen(0, '127.0.0.1');
  t.onTestFinished(() => {
    server.close();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await assert.rejects(check({ REDIS_URL: `redis://:wrong@127.0.0.1:${port}` }), {
    name: 'ConfigError',
    message: /^The setting REDIS_URL must have the user and password that Redis accepts \(WRONGPASS/,
  });
  await check({ REDIS_URL: 'redis://127.0.0.1:1' });
  const redis = await startFakeRedis();
  t.onTestFinished(() => redis.close());
  await check({ REDIS_URL: redis.url });
});
