import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadConfig, readEnvFile, WrongSetting } from './config.ts';

test('empty means the embedded default', () => {
  const config = loadConfig({ PORT: '', DB_URL: '', TRUSTED_PROXIES: '' });
  assert.equal(config.PORT, 3000);
  assert.equal(config.HOST, '127.0.0.1');
  assert.equal(config.DB_URL, undefined);
  assert.deepEqual(config.TRUSTED_PROXIES, []);
  assert.deepEqual(config.TOKEN_COUNT_RATE_LIMITS, [100, 2000, 4000, 8000]);
});

const wrong: [string, Record<string, string>][] = [
  ['PORT', { PORT: '70000' }],
  ['PORT', { PORT: 'http' }],
  ['DB_URL', { DB_URL: 'mysql://x' }],
  ['DB_URL', { DB_URL: 'postgres://' }],
  ['DB_OWNER_URL', { DB_OWNER_URL: 'postgres://a:b@host:99999/c' }],
  ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
  ['DB_SERVICE_ROLE_KEY', { DB_URL: 'postgres://a@b/c' }],
  ['DEMO_ACCESS_OPERATOR_TOKEN', { DEMO_ACCESS_OPERATOR_TOKEN: 'abc' }],
  ['IDP_WEBHOOK_SECRET', { IDP_WEBHOOK_SECRET: 'secret' }],
  ['IDP_SECRET_KEY', { IDP_API_URL: 'https://api.example.com' }],
  ['TOKEN_COUNT_RATE_LIMITS', { TOKEN_COUNT_RATE_LIMITS: '1,2,3' }],
  ['TOKEN_COUNT_RATE_LIMITS', { TOKEN_COUNT_RATE_LIMITS: '1,2,3,-4' }],
  ['WORKER', { WORKER: 'yes' }],
  ['REDIS_URL', { REDIS_URL: 'localhost' }],
  ['REDIS_URL', { REDIS_URL: 'redis://host:port' }],
  ['BASE_URL', { BASE_URL: 'https://tally example' }],
  ['BASE_URL', { BASE_URL: 'https://:80' }],
  ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.1, proxy' }],
  ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/33' }],
  ['METRICS_PORT', { METRICS_PORT: '3000' }],
  ['INTERNAL_API_TOKEN', { DEMO_ACCESS_OPERATOR_TOKEN: 'a1'.repeat(32), INTERNAL_API_TOKEN: 'a1'.repeat(32) }],
  ['METRICS_TOKEN', { DEMO_ACCESS_OPERATOR_TOKEN: 'a1'.repeat(32), METRICS_TOKEN: 'a1'.repeat(32) }],
  ['METRICS_TOKEN', { INTERNAL_API_TOKEN: 'one for two doors', METRICS_TOKEN: 'one for two doors' }],
];

for (const [name, environment] of wrong) {
  test(`a wrong ${name} (${JSON.stringify(environment)}) stops with a sentence that names it, not its value`, () => {
    assert.throws(
      () => loadConfig(environment),
      (error) =>
        error instanceof WrongSetting &&
        error.message.startsWith(`The setting ${name} must `) &&
        !error.message.includes('\n'),
    );
  });
}

test('a socket is a place for a database', () => {
  const DB_URL = 'postgres://authenticator:p%40ss@/postgres?host=%2Ftmp%2Fsocket';
  assert.equal(loadConfig({ DB_URL, DB_SERVICE_ROLE_KEY: 'x' }).DB_URL, DB_URL);
});

test('a base URL loses its slash at the end, rate limits can be off', () => {
  const config = loadConfig({ BASE_URL: 'https://tally.example.com/', TOKEN_COUNT_RATE_LIMITS: 'off' });
  assert.equal(config.BASE_URL, 'https://tally.example.com');
  assert.equal(config.TOKEN_COUNT_RATE_LIMITS, 'off');
});

test('a settings file is read, an absent one holds none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tally-config-'));
  writeFileSync(join(folder, '.env'), 'A=1\n# no\nB="two words"\n');
  assert.deepEqual({ ...readEnvFile(join(folder, '.env')) }, { A: '1', B: 'two words' });
  assert.deepEqual(readEnvFile(join(folder, 'absent')), {});
  rmSync(folder, { recursive: true });
});
