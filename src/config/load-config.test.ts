import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'vitest';
import {
  loadConfig,
  loadOperatorSettings,
  loadUsableConfig,
  readEnvFile,
  listSettingWarnings,
  ConfigError,
} from './load-config.ts';
import { settings } from './settings.ts';

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
  ['CONNECTIONS_KEY', { CONNECTIONS_KEY_PREVIOUS: 'lost', DB_URL: 'postgres://a@b/c', DB_SERVICE_ROLE_KEY: 'x' }],
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
  ['SMTP_URL', { SMTP_URL: 'smtp://user:p@ss@mail.example.com', MAIL_FROM: 'tally@example.com' }],
  ['REDIS_URL', { REDIS_URL: 'redis://user:p@ss@host:6379' }],
  ['REDIS_URL', { REDIS_URL: 'redis://user:p%ss@host:6379' }],
  ['SMTP_URL', { SMTP_URL: 'smtp://user:p%ss@mail.example.com', MAIL_FROM: 'tally@example.com' }],
  ['DB_URL', { DB_URL: 'postgres://a:p%ss@host/c', DB_SERVICE_ROLE_KEY: 'k' }],
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

test.each(['p@ss', 'p#ss', '1#2', 'p?ss', '1?2', 'p/ss', 'p%ss'])(
  'says that the password %s must be encoded',
  (word) => {
    const urls: [string, Record<string, string>][] = [
      ['DB_URL', { DB_URL: `postgres://a:${word}@host/c`, DB_SERVICE_ROLE_KEY: 'k' }],
      ['DB_OWNER_URL', { DB_OWNER_URL: `postgres://a:${word}@host/c?sslcert=/a@b.pem` }],
      ['REDIS_URL', { REDIS_URL: `redis://:${word}@host:6379` }],
      ['SMTP_URL', { SMTP_URL: `smtp://a:${word}@host?tls=off`, MAIL_FROM: 'tally@example.com' }],
    ];
    for (const [name, environment] of urls)
      assert.throws(() => loadConfig(environment), {
        message: new RegExp(
          `^The setting ${name} must have its password percent-encoded: write %40 for @, .*%23 for #`,
        ),
      });
  },
);

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
        '  DB_URI is unknown: set DB_URL instead, or remove it.',
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

test('accepts a socket as the address of a database', () => {
  const DB_URL = 'postgres://authenticator:p%40ss@/postgres?host=%2Ftmp%2Fsocket';
  assert.equal(loadConfig({ DB_URL, DB_SERVICE_ROLE_KEY: 'x' }).DB_URL, DB_URL);
});

test('needs no connection key for an external database when connections are off', () => {
  assert.equal(loadConfig({ DB_URL: 'postgres://a@b/c', DB_SERVICE_ROLE_KEY: 'x' }).CONNECTIONS_KEY, undefined);
});

test('accepts the previous connection key alone when the embedded database has a generated one', () => {
  assert.equal(loadConfig({ CONNECTIONS_KEY_PREVIOUS: 'lost' }).CONNECTIONS_KEY_PREVIOUS, 'lost');
});

test('accepts a hosted identity provider when its webhook secret is not set', () => {
  const hosted = { IDP_API_URL: 'https://api.example.com', IDP_FRONTEND_API_URL: 'https://clerk.example.com' };
  assert.equal(loadConfig({ ...hosted, IDP_SECRET_KEY: 'sk_live_0123456789' }).IDP_WEBHOOK_SECRET, undefined);
});

test('accepts a base URL with a slash at the end', () => {
  const config = loadConfig({ BASE_URL: 'https://tally.example.com/', TOKEN_COUNT_RATE_LIMITS: 'off' });
  assert.equal(config.BASE_URL, 'https://tally.example.com');
  assert.equal(config.TOKEN_COUNT_RATE_LIMITS, 'off');
});

test('reads the settings file when there is one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tally-config-'));
  writeFileSync(join(folder, '.env'), 'A=1\n# no\nB="two words"\n');
  assert.deepEqual({ ...readEnvFile(join(folder, '.env')) }, { A: '1', B: 'two words' });
  assert.deepEqual(readEnvFile(join(folder, 'absent')), {});
  rmSync(folder, { recursive: true });
});

test.each([
  ['sign_up', 'SIGN_UP'],
  ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
  ['BASE_URI', 'BASE_URL'],
  ['DB_URI', 'DB_URL'],
  ['DB_OWNER_URI', 'DB_OWNER_URL'],
  ['DB_SERVICE_ROLL_KEY', 'DB_SERVICE_ROLE_KEY'],
  ['DB_URI_FILE', 'DB_URL_FILE'],
  ['REDIS_URI', 'REDIS_URL'],
  ['SMTP_URI', 'SMTP_URL'],
  ['STRIPE_WEBHOOKS_SECRET', 'STRIPE_WEBHOOK_SECRET'],
] as const)('names %s as a misspelling of %s', (name, setting) => {
  const message = `The setting ${name} is unknown: set ${setting} instead, or remove it.`;
  assert.throws(() => loadConfig({ [name]: 'x' }), { message });
});

/** Returns a name with each common slip of the keyboard: one letter, underscore or plural. */
function listMisspellings(name: string): string[] {
  const atEachLetter = (change: (letter: string, next: string) => string, length = 1): string[] =>
    Array.from(name, (letter, index) => {
      const next = name[index + 1] ?? '';
      return letter === '_' ? name : name.slice(0, index) + change(letter, next) + name.slice(index + length);
    });
  const replacements = ['A', 'E', 'N', 'X', '1'];
  return [
    ...atEachLetter(() => ''),
    ...atEachLetter((letter) => letter + letter),
    ...atEachLetter((letter, next) => (next === '_' ? letter + next : next + letter), 2),
    ...replacements.flatMap((replacement) => atEachLetter(() => replacement)),
    ...Array.from(name.matchAll(/_/g), ({ index }) => name.slice(0, index) + name.slice(index + 1)),
    name.endsWith('S') ? name.slice(0, -1) : `${name}S`,
  ].filter((misspelling) => misspelling !== name);
}

const settingNames = Object.keys(settings.shape);
/** The settings of each misspelling. Some are equally near to two. */
const settingsByMisspelling = Map.groupBy(
  settingNames.flatMap((setting) => listMisspellings(setting).map((name) => ({ name, setting }))),
  ({ name }) => name,
);

test.each(settingNames)('names %s when a letter, an underscore or a plural of it is wrong', (setting) => {
  const namesOfOthers = new Set(Object.values(NAMES_OF_OTHERS).flatMap((names) => names.split(' ')));
  const misspellings = listMisspellings(setting).filter(
    (name) => !(name.replace(/_FILE$/, '') in settings.shape) && !(name in settings.shape) && !namesOfOthers.has(name),
  );
  const { problems } = loadUsableConfig(Object.fromEntries(misspellings.map((name) => [name, 'x'])));
  for (const name of misspellings) {
    const expected = settingsByMisspelling.get(name)!.map((one) => one.setting);
    assert.match(
      problems.get(name) ?? 'none',
      new RegExp(`^is unknown: set (${expected.join('|')}) instead, or remove it$`),
      name,
    );
  }
});

test('accepts a name that resembles a setting when it has the same value', () => {
  assert.equal(loadConfig({ BASE_URLS: 'http://x', BASE_URL: 'http://x' }).BASE_URL, 'http://x');
});

test.each([
  [{ TRUSTED_PROXY: '10.1.0.0/16', TRUSTED_PROXIES: '10.0.0.0/8' }, 'TRUSTED_PROXY', 'TRUSTED_PROXIES'],
  [
    { DB_URI_FILE: '/run/secrets/url', DB_SERVICE_ROLE_KEY: 'k', DB_URL: 'postgres://a@b/c' },
    'DB_URI_FILE',
    'DB_URL_FILE',
  ],
] as const)('names a misspelled setting when the right one has another value (%j)', (environment, name, setting) => {
  const message = `The setting ${name} is unknown: set ${setting} instead, or remove it.`;
  assert.throws(() => loadConfig(environment), { message });
});

/** Names that images, platforms and tools set, each group by its origin. */
const NAMES_OF_OTHERS = {
  shell:
    'PATH HOME PWD OLDPWD SHLVL SHELL USER LOGNAME TERM LANG LANGUAGE LC_ALL LC_CTYPE TZ TMPDIR EDITOR PAGER MAIL _ IFS HOSTNAME HOSTTYPE OSTYPE COLUMNS LINES PS1',
  proxies: 'HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy SSL_CERT_FILE SSL_CERT_DIR',
  node: 'NODE_VERSION YARN_VERSION NODE_ENV NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE npm_config_cache npm_config_user_agent npm_lifecycle_event npm_package_name npm_package_version npm_execpath npm_node_execpath INIT_CWD COLOR FORCE_COLOR NO_COLOR DEBUG',
  kubernetes:
    'KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT KUBERNETES_SERVICE_PORT_HTTPS KUBERNETES_PORT KUBERNETES_PORT_443_TCP KUBERNETES_PORT_443_TCP_ADDR KUBERNETES_PORT_443_TCP_PORT KUBERNETES_PORT_443_TCP_PROTO REDIS_SERVICE_HOST REDIS_SERVICE_PORT REDIS_PORT REDIS_PORT_6379_TCP REDIS_PORT_6379_TCP_ADDR POSTGRES_SERVICE_HOST POSTGRES_SERVICE_PORT POSTGRES_PORT DB_SERVICE_HOST DB_SERVICE_PORT DB_PORT DB_PORT_5432_TCP DB_PORT_5432_TCP_ADDR SERVER_SERVICE_HOST SERVER_PORT WORKER_SERVICE_HOST TALLY_SERVICE_HOST TALLY_PORT POD_NAME POD_IP POD_NAMESPACE NODE_NAME',
  docker: 'COMPOSE_PROJECT_NAME COMPOSE_FILE DOCKER_HOST DOCKER_CONFIG DOCKER_BUILDKIT container',
  systemd:
    'INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET LISTEN_FDS LISTEN_PID MAINPID STATE_DIRECTORY RUNTIME_DIRECTORY LOGS_DIRECTORY CONFIGURATION_DIRECTORY CREDENTIALS_DIRECTORY CACHE_DIRECTORY SYSTEMD_EXEC_PID MEMORY_PRESSURE_WATCH',
  postgres:
    'POSTGRES_USER POSTGRES_PASSWORD POSTGRES_DB POSTGRES_HOST_AUTH_METHOD POSTGRES_INITDB_ARGS PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE PGDATA PGSSLMODE PGSSLROOTCERT PGSERVICE PG_MAJOR PG_VERSION GOSU_VERSION DATABASE_URL DB_HOST DB_NAME DB_USER DB_PASSWORD DB_PASS DB_DATABASE DB_SSL DB_TYPE DB_SCHEMA',
  redis: 'REDIS_VERSION REDIS_HOST REDIS_PASSWORD REDIS_DB REDIS_TLS_URL REDIS_DOWNLOAD_URL REDIS_DOWNLOAD_SHA',
  platforms:
    'DYNO PORT FLY_APP_NAME FLY_REGION FLY_ALLOC_ID PRIMARY_REGION RENDER RENDER_SERVICE_ID RENDER_EXTERNAL_URL RAILWAY_ENVIRONMENT RAILWAY_PUBLIC_DOMAIN RAILWAY_PROJECT_ID K_SERVICE K_REVISION K_CONFIGURATION GOOGLE_CLOUD_PROJECT GOOGLE_APPLICATION_CREDENTIALS GCP_PROJECT WEBSITE_HOSTNAME WEBSITE_SITE_NAME AZURE_CLIENT_ID AZURE_TENANT_ID AWS_REGION AWS_DEFAULT_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_EXECUTION_ENV ECS_CONTAINER_METADATA_URI ECS_CONTAINER_METADATA_URI_V4 VERCEL VERCEL_URL NETLIFY HEROKU_APP_NAME SOURCE_VERSION STACK',
  ci: 'CI GITHUB_ACTIONS GITHUB_TOKEN GITHUB_SHA GITHUB_REF GITHUB_WORKSPACE GITHUB_RUN_ID GITLAB_CI CI_COMMIT_SHA CI_JOB_ID CI_JOB_TOKEN RUNNER_OS RUNNER_TEMP BUILD_NUMBER JENKINS_URL TRAVIS CIRCLECI',
  tracing:
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT OTEL_EXPORTER_OTLP_PROTOCOL OTEL_EXPORTER_OTLP_TIMEOUT OTEL_RESOURCE_ATTRIBUTES OTEL_TRACES_EXPORTER OTEL_METRICS_EXPORTER OTEL_LOGS_EXPORTER OTEL_SDK_DISABLED OTEL_PROPAGATORS SENTRY_DSN DD_AGENT_HOST DD_SERVICE DD_ENV',
  desktop:
    'DISPLAY WAYLAND_DISPLAY XDG_RUNTIME_DIR XDG_SESSION_ID XDG_CONFIG_HOME XDG_DATA_DIRS XDG_CACHE_HOME DBUS_SESSION_BUS_ADDRESS SSH_CONNECTION SSH_CLIENT SSH_TTY SSH_AUTH_SOCK SSH_AGENT_PID GPG_AGENT_INFO VSCODE_PID TERM_PROGRAM COLORTERM WSL_DISTRO_NAME SUDO_USER SUDO_UID',
  mail: 'SMTP_HOST SMTP_PORT SMTP_USER SMTP_PASSWORD SMTP_PASS SMTP_SECURE SMTP_FROM MAIL_HOST MAIL_PORT MAIL_USERNAME MAIL_PASSWORD',
  others:
    'ANTHROPIC_AUTH_TOKEN ANTHROPIC_MODEL ANTHROPIC_SMALL_FAST_MODEL CLAUDE_CODE_ENTRYPOINT OPENAI_API_KEY STRIPE_API_KEY STRIPE_PUBLISHABLE_KEY PLAID_ENV POSTHOG_HOST POSTHOG_KEY POSTHOG_PROJECT_ID JAVA_HOME PYTHONPATH PYTHONUNBUFFERED VIRTUAL_ENV GOPATH CARGO_HOME NVM_DIR S6_VERSION TINI_VERSION WEB_CONCURRENCY TRUST_PROXY IS_SANDBOX SECRET_KEY SESSION_SECRET JWT_SECRET APP_URL APP_KEY APP_ENV SERVER_NAME VIRTUAL_HOST VIRTUAL_PORT LETSENCRYPT_HOST',
} as const;

test.each(Object.entries(NAMES_OF_OTHERS))('accepts the names that belong to other programs (%s)', (_origin, names) => {
  for (const name of names.split(' ')) assert.doesNotThrow(() => loadConfig({ [name]: '1' }), name);
});

test('warns of an unknown name in .env and rejects one that resembles a setting', (t) => {
  changeToFolderWith(t, 'PORT=3100\nCOMPOSE_PROJECT_NAME=tally\n');
  assert.equal(loadConfig({}).PORT, 3100);
  assert.deepEqual(listSettingWarnings(), ['unknown setting COMPOSE_PROJECT_NAME in .env.']);
  for (const name of ['DB_HOST', 'DEMO_ACCESS_TOKEN', 'BASE_PATH', 'PORT_NUMBER']) {
    writeFileSync('.env', `${name}=x\n`);
    assert.throws(() => loadConfig({}), {
      name: 'ConfigError',
      message: `The setting ${name} in .env is unknown; docs/reference/settings.md lists the names.`,
    });
  }
});

test('rejects a public http address when it reads operator settings', (t) => {
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
  assert.deepEqual(listSettingWarnings(), []);
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
