import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'vitest';
import { loadConfig, loadOperatorSettings, readEnvFile, listSettingWarnings, ConfigError } from './load-config.ts';
import { retiredSettings, settings } from './settings.ts';

/** Runs the test in a folder of its own whose `.env` has this text. */
function changeToFolderWith(t: TestContext, envFile: string): void {
  const before = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), 'tally-settings-'));
  process.chdir(folder);
  t.onTestFinished(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  });
  writeFileSync('.env', envFile);
}

test('uses the embedded default when a setting is empty', () => {
  const config = loadConfig({ PORT: '', DB_URL: '', TRUSTED_PROXIES: '' });
  assert.equal(config.PORT, 3000);
  assert.equal(config.HOST, '127.0.0.1');
  assert.equal(config.DB_URL, undefined);
  assert.deepEqual(config.TRUSTED_PROXIES, []);
  assert.deepEqual(config.TOKEN_COUNT_RATE_LIMITS, [100, 2000, 4000, 8000]);
});

test('reads the value in .env when the environment has an empty one', (t) => {
  changeToFolderWith(t, 'PORT=4000\nHOST=\n');
  const config = loadConfig({ PORT: '', HOST: '' });
  assert.deepEqual([config.PORT, config.HOST], [4000, '127.0.0.1']);
});

const wrong: [string, Record<string, string>][] = [
  ['PORT', { PORT: '70000' }],
  ['PORT', { PORT: 'http' }],
  ['DB_URL', { DB_URL: 'mysql://x' }],
  ['DB_URL', { DB_URL: 'postgres://' }],
  ['DB_OWNER_URL', { DB_OWNER_URL: 'postgres://a:b@host:99999/c' }],
  ['DB_URL', { DB_URL: 'postgres://a:p@ss/word@host/c', DB_SERVICE_ROLE_KEY: 'k' }],
  ['DB_URL', { DB_URL: 'postgres://a:b@host/c?sslmode=prefer', DB_SERVICE_ROLE_KEY: 'k' }],
  ['DB_OWNER_URL', { DB_OWNER_URL: 'postgres://a:b@host/c?sslmode=require', DB_SSLMODE: 'verify-full' }],
  ['DB_SSLMODE', { DB_SSLMODE: 'on' }],
  ['DB_SSLROOTCERT', { DB_SSLROOTCERT: '/nowhere/ca.pem' }],
  ['DB_SSLROOTCERT', { DB_SSLROOTCERT: import.meta.filename.replace('.test', '') }],
  ['REDIS_CA_FILE', { REDIS_CA_FILE: '/nowhere/ca.pem' }],
  ['METRICS_TOKEN_FILE', { METRICS_TOKEN_FILE: '/nowhere/token' }],
  ['METRICS_TOKEN_FILE', { METRICS_TOKEN_FILE: '/nowhere/token', METRICS_TOKEN: 'a'.repeat(16) }],
  ['CONNECTIONS_KEY_PREVIOUS', { CONNECTIONS_KEY_PREVIOUS: 'gone', CONNECTIONS_KEY: 'a'.repeat(64) }],
  ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
  ['DB_SERVICE_ROLE_KEY', { DB_URL: 'postgres://a@b/c' }],
  ['DEMO_ACCESS_OPERATOR_TOKEN', { DEMO_ACCESS_OPERATOR_TOKEN: 'abc' }],
  ['DEMO_ACCESS_RESET', { DEMO_ACCESS_RESET: '24:00' }],
  ['DEMO_ACCESS_RESET', { DEMO_ACCESS_RESET: 'on' }],
  ['SAMPLE_USER_IDP_USER_ID', { SAMPLE_USER_IDP_USER_ID: 'sample@example.com' }],
  ['IDP_WEBHOOK_SECRET', { IDP_WEBHOOK_SECRET: 'secret' }],
  ['IDP_SECRET_KEY', { IDP_API_URL: 'https://api.example.com', IDP_FRONTEND_API_URL: 'https://clerk.example.com' }],
  ['TOKEN_COUNT_RATE_LIMITS', { TOKEN_COUNT_RATE_LIMITS: '1,2,3' }],
  ['TOKEN_COUNT_RATE_LIMITS', { TOKEN_COUNT_RATE_LIMITS: '1,2,3,-4' }],
  ['WORKER', { WORKER: 'yes' }],
  ['REDIS_URL', { REDIS_URL: 'localhost' }],
  ['REDIS_URL', { REDIS_URL: 'redis://host:port' }],
  ['BASE_URL', { BASE_URL: 'https://tally example' }],
  ['BASE_URL', { BASE_URL: 'https://:80' }],
  ['BASE_URL', { BASE_URL: 'https://example.com/tally' }],
  ['BASE_URL', { BASE_URL: 'https://example.com/?a=b' }],
  ['BASE_URL', { BASE_URL: 'https://user:password@example.com' }],
  ['HOST', { HOST: '999.1.1.1' }],
  ['HOST', { HOST: '127.1' }],
  ['HOST', { HOST: 'http://localhost' }],
  ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.1, proxy' }],
  ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/33' }],
  ['INTERNAL_API_TOKEN', { DEMO_ACCESS_OPERATOR_TOKEN: 'a1'.repeat(32), INTERNAL_API_TOKEN: 'a1'.repeat(32) }],
  ['METRICS_TOKEN', { DEMO_ACCESS_OPERATOR_TOKEN: 'a1'.repeat(32), METRICS_TOKEN: 'a1'.repeat(32) }],
  ['REVENUE_OPERATOR_TOKEN', { REVENUE_OPERATOR_TOKEN: 'short' }],
  ['REVENUE_OPERATOR_TOKEN', { DEMO_ACCESS_OPERATOR_TOKEN: 'a1'.repeat(32), REVENUE_OPERATOR_TOKEN: 'a1'.repeat(32) }],
  ['REVENUE_OPERATOR_TOKEN', { METRICS_TOKEN: 'a1'.repeat(32), REVENUE_OPERATOR_TOKEN: 'a1'.repeat(32) }],
  ['PLAID_SECRET', { PLAID_CLIENT_ID: 'client', CONNECTIONS_KEY: 'c0'.repeat(32) }],
  ['PLAID_CLIENT_ID', { PLAID_SECRET: 'secret', CONNECTIONS_KEY: 'c0'.repeat(32) }],
  ['CONNECTIONS_KEY', { PLAID_CLIENT_ID: 'client', PLAID_SECRET: 'secret' }],
  ['CONNECTIONS_KEY', { DB_URL: 'postgres://a@b/c', DB_SERVICE_ROLE_KEY: 'x', SANDBOX: 'on' }],
  ['CONNECTIONS_KEY', { CONNECTIONS_KEY_PREVIOUS: 'c0'.repeat(32) }],
  ['CONNECTIONS_KEY', { CONNECTIONS_KEY: 'c0'.repeat(31) }],
  ['SIGN_UP', { SIGN_UP: 'invitation' }],
  [
    'SIGN_UP',
    {
      SIGN_UP: 'closed',
      IDP_API_URL: 'https://api.example.com',
      IDP_FRONTEND_API_URL: 'https://clerk.example.com',
      IDP_SECRET_KEY: 'sk_live_0123456789abcdef',
    },
  ],
  ['SAMPLE_DATA', { SAMPLE_DATA: 'yes' }],
  ['SMTP_URL', { SMTP_URL: 'mail.example.com:587', MAIL_FROM: 'tally@example.com' }],
  ['SMTP_URL', { SMTP_URL: 'https://mail.example.com', MAIL_FROM: 'tally@example.com' }],
  ['SMTP_URL', { SMTP_URL: 'smtp://:587', MAIL_FROM: 'tally@example.com' }],
  ['SMTP_URL', { SMTP_URL: 'smtp://mail.example.com/path', MAIL_FROM: 'tally@example.com' }],
  ['SMTP_URL', { SMTP_URL: 'smtp://mail.example.com?tls=no', MAIL_FROM: 'tally@example.com' }],
  ['MAIL_FROM', { SMTP_URL: 'smtp://user:hidden@mail.example.com' }],
  ['MAIL_FROM', { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'Tally' }],
  ['MAIL_FROM', { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'a@example.com, b@example.com' }],
  ['METRICS_TOKEN', { INTERNAL_API_TOKEN: 'one for two doors', METRICS_TOKEN: 'one for two doors' }],
];

for (const [name, environment] of wrong) {
  test(`names a wrong ${name} (${JSON.stringify(environment)}) and hides its value`, () => {
    assert.throws(
      () => loadConfig(environment),
      (error) =>
        error instanceof ConfigError &&
        error.message.startsWith(`The setting ${name} must `) &&
        !error.message.includes('\n'),
    );
  });
}

test('names each missing setting once when only half of a pair is set', () => {
  for (const [id, secret] of [
    ['PLAID_CLIENT_ID', 'PLAID_SECRET'],
    ['SNAPTRADE_CLIENT_ID', 'SNAPTRADE_CONSUMER_KEY'],
  ] as const) {
    const problems = (given: object) => settings.safeParse(given).error?.issues.map(({ path }) => path.join('.'));
    assert.deepEqual(problems({ [secret]: 'x' }), [id, 'CONNECTIONS_KEY']);
    assert.deepEqual(problems({ [id]: 'x' }), [secret, 'CONNECTIONS_KEY']);
    assert.deepEqual(problems({ [id]: 'x', [secret]: 'x' }), ['CONNECTIONS_KEY']);
  }
});

test('names every wrong setting at once when several are wrong', (t) => {
  changeToFolderWith(t, 'DB_URI=x\nTALLY_ELSE=y\n');
  assert.throws(
    () => loadConfig({ PORT: '70000', LOG_LEVEL: 'loud', STRIPE_SECRET_KEY: 'sk_test_1', REDIS_URL: 'redis://host' }),
    {
      name: 'ConfigError',
      message: [
        '4 settings are wrong:',
        '  DB_URI in .env is unknown; docs/reference/settings.md lists the names.',
        '  PORT must be at most 65535.',
        '  LOG_LEVEL must be one of silent, fatal, error, warn, info, debug, trace.',
        '  STRIPE_WEBHOOK_SECRET must be set when STRIPE_SECRET_KEY is: each requires the other.',
      ].join('\n'),
    },
  );
});

test('names a missing setting once when several others need it', () => {
  const banks = { PLAID_CLIENT_ID: 'a', PLAID_SECRET: 'b', SNAPTRADE_CLIENT_ID: 'c', SNAPTRADE_CONSUMER_KEY: 'd' };
  assert.throws(() => loadConfig(banks), {
    message:
      'The setting CONNECTIONS_KEY must be set when PLAID_CLIENT_ID is: access to accounts is encrypted with it.',
  });
});

test('warns of a retired setting when it is still set', (t) => {
  changeToFolderWith(t, 'DB_REQUEST_TIMEOUT_SECONDS=5\nREQUEST_TIMEOUT_SECONDS=\n');
  assert.equal(loadConfig({ IDP_INSTANCE_ID: 'ins_1' }).PORT, 3000);
  assert.deepEqual(listSettingWarnings({ IDP_INSTANCE_ID: 'ins_1', METRICS_PORT: '' }), [
    'the setting DB_REQUEST_TIMEOUT_SECONDS no longer has an effect: a statement of a request times out after 15 seconds.',
    'the setting IDP_INSTANCE_ID no longer has an effect: events of every instance that signs with IDP_WEBHOOK_SECRET count.',
  ]);
});

test('reads no setting that is retired', () => {
  assert.deepEqual(
    Object.keys(retiredSettings).filter((name) => name in settings.shape),
    [],
  );
});

test('accepts a socket as the address of a database', () => {
  const DB_URL = 'postgres://authenticator:p%40ss@/postgres?host=%2Ftmp%2Fsocket';
  assert.equal(loadConfig({ DB_URL, DB_SERVICE_ROLE_KEY: 'x' }).DB_URL, DB_URL);
});

test('needs no connection key for an external database when connections are off', () => {
  assert.equal(loadConfig({ DB_URL: 'postgres://a@b/c', DB_SERVICE_ROLE_KEY: 'x' }).CONNECTIONS_KEY, undefined);
});

test('accepts a hosted identity provider when its webhook secret is not set', () => {
  const hosted = { IDP_API_URL: 'https://api.example.com', IDP_FRONTEND_API_URL: 'https://clerk.example.com' };
  assert.equal(loadConfig({ ...hosted, IDP_SECRET_KEY: 'sk_live_0123456789' }).IDP_WEBHOOK_SECRET, undefined);
});

test('removes the slash at the end of a base URL, and accepts rate limits that are off', () => {
  const config = loadConfig({ BASE_URL: 'https://tally.example.com/', TOKEN_COUNT_RATE_LIMITS: 'off' });
  assert.equal(config.BASE_URL, 'https://tally.example.com');
  assert.equal(config.TOKEN_COUNT_RATE_LIMITS, 'off');
});

test('reads a settings file, and nothing when there is none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tally-config-'));
  writeFileSync(join(folder, '.env'), 'A=1\n# no\nB="two words"\n');
  assert.deepEqual({ ...readEnvFile(join(folder, '.env')) }, { A: '1', B: 'two words' });
  assert.deepEqual(readEnvFile(join(folder, 'absent')), {});
  rmSync(folder, { recursive: true });
});

test('names the setting that a name in the environment misspells', () => {
  for (const [name, setting] of [
    ['DB_URI', 'DB_URL'],
    ['BASE_URLS', 'BASE_URL'],
    ['OPERATOR_TOKENS', 'OPERATOR_TOKEN'],
  ] as const)
    assert.throws(() => loadConfig({ [name]: 'x' }), {
      message: `The setting ${name} is unknown: set ${setting} instead, or remove it.`,
    });
  assert.doesNotThrow(() =>
    loadConfig({ HOSTNAME: 'x', REDIS_PORT: 'tcp://x', DB_PORT: '5432', BASE_URLS: 'x', BASE_URL: 'http://x' }),
  );
});

test('warns of an unknown name in .env and rejects one that resembles a setting', (t) => {
  changeToFolderWith(t, 'PORT=3100\nCOMPOSE_PROJECT_NAME=tally\n');
  assert.equal(loadConfig({}).PORT, 3100);
  assert.deepEqual(listSettingWarnings({}), ['unknown setting COMPOSE_PROJECT_NAME in .env.']);
  for (const name of ['DB_URI', 'DEMO_ACCESS_TOKEN', 'BASE_URI', 'PORT_NUMBER']) {
    writeFileSync('.env', `${name}=x\n`);
    assert.throws(() => loadConfig({}), {
      name: 'ConfigError',
      message: `The setting ${name} in .env is unknown; docs/reference/settings.md lists the names.`,
    });
  }
});

test('reads operator settings, environment first, and rejects a public http address', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tally-operator-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'operator.env');
  const token = 'a1'.repeat(32);
  const other = 'b2'.repeat(32);
  writeFileSync(file, `BASE_URL=https://demo.example.com/\nDEMO_ACCESS_OPERATOR_TOKEN=${token}\n`);
  const loadFrom = (environment: Record<string, string>, path = file) => loadOperatorSettings(path, environment);
  assert.deepEqual(loadFrom({ BASE_URL: '' }), { baseUrl: 'https://demo.example.com', token });
  assert.deepEqual(loadFrom({ DEMO_ACCESS_OPERATOR_TOKEN: other }), {
    baseUrl: 'https://demo.example.com',
    token: other,
  });
  for (const url of ['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000'])
    assert.equal(loadFrom({ BASE_URL: url }).baseUrl, url);
  const wrong: [Record<string, string>, RegExp, string?][] = [
    [{ BASE_URL: 'http://demo.example.com' }, /BASE_URL must begin with https:\/\//],
    [{ BASE_URL: 'http://127.0.0.1.example.com' }, /BASE_URL must begin with https:\/\//],
    [{ BASE_URL: 'demo.example.com' }, /BASE_URL must be an http or https URL/],
    [{ DEMO_ACCESS_OPERATOR_TOKEN: 'short' }, /DEMO_ACCESS_OPERATOR_TOKEN must be 64 hexadecimal/],
    [{}, /The file .*none\.env does not exist/, join(folder, 'none.env')],
  ];
  for (const [environment, sentence, path] of wrong)
    assert.throws(() => loadFrom(environment, path), { name: 'ConfigError', message: sentence });
  writeFileSync(file, '');
  assert.throws(() => loadFrom({}), {
    name: 'ConfigError',
    message: /BASE_URL is missing: add it to .*operator\.env/,
  });
});

test('reads a setting from the file that its name with _FILE names', (t) => {
  changeToFolderWith(t, 'METRICS_TOKEN_FILE=token\n');
  writeFileSync('token', 'a token of a secret store\n');
  assert.equal(loadConfig({}).METRICS_TOKEN, 'a token of a secret store');
  assert.deepEqual(listSettingWarnings({}), []);
});

test('adds the TLS settings to every database URL as the driver reads them', (t) => {
  changeToFolderWith(t, '');
  writeFileSync('ca.pem', '-----BEGIN CERTIFICATE-----\n');
  const urls = { DB_URL: 'postgres://a:b@host/c', DB_OWNER_URL: 'postgres://o:b@/c?host=%2Frun' };
  const config = loadConfig({ ...urls, DB_SERVICE_ROLE_KEY: 'k', DB_SSLMODE: 'verify-full', DB_SSLROOTCERT: 'ca.pem' });
  const parameters = 'sslmode=verify-full&sslrootcert=ca.pem&uselibpqcompat=true';
  assert.equal(config.DB_URL, `${urls.DB_URL}?${parameters}`);
  assert.equal(config.DB_OWNER_URL, `${urls.DB_OWNER_URL}&${parameters}`);
  const required = loadConfig({ DB_URL: `${urls.DB_URL}?sslmode=require`, DB_SERVICE_ROLE_KEY: 'k' });
  assert.equal(required.DB_URL, `${urls.DB_URL}?sslmode=require&uselibpqcompat=true`);
});

test('names an unreadable .env', (t) => {
  changeToFolderWith(t, '');
  rmSync('.env');
  mkdirSync('.env');
  assert.throws(
    () => loadConfig({}),
    new ConfigError('The file .env cannot be read (EISDIR): make it readable to this account, or remove it.'),
  );
});
