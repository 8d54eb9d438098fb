import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { test, type TestContext } from 'vitest';
import { reportError } from './main.ts';
import { runInProcess } from '../test/support/run-program.ts';
import { startService } from '../test/support/service-process.ts';
import { AppError } from '../src/errors.ts';
import { loadOrCreateLocalSecrets } from '../src/installation/local-secrets.ts';
import { lockDataDirectory } from '../src/platform/database/embedded-server/data-lock.ts';
import { reservePort } from '../src/platform/http/reserve-port.ts';
import { eventually } from '../test/support/eventually.ts';
import { prepareData } from '../test/support/prepared-data.ts';
import { createSeededDatabase, getDatabaseSettings } from '../test/support/service.ts';

const program = fileURLToPath(new URL('../bin/tally.mjs', import.meta.url));

/** Runs `tally` in an empty folder, so that no settings file of this machine has an effect. */
function tally(
  argv: readonly string[],
  settings: Record<string, string> = {},
  input: string | Buffer = '',
): { code: number | null; out: string; err: string } {
  const cwd = mkdtempSync(join(tmpdir(), 'tally-program-'));
  try {
    const env = { PATH: process.env['PATH'], DATA_DIR: join(cwd, 'data'), ...settings };
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...argv], {
      cwd,
      env,
      input,
      encoding: 'utf8',
    });
    return { code: status, out: stdout, err: stderr };
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

test('writes one sentence and a retry exit code when a command fails', async () => {
  assert.deepEqual(await runInProcess(['start'], { PORT: 'x' }), {
    code: 2,
    out: '',
    err: 'tally start: The setting PORT must be a whole number from 0 to 65535.\n',
  });
  assert.deepEqual(await runInProcess(['start', '--processes', '2']), {
    code: 2,
    out: '',
    err:
      'tally start: The setting REDIS_URL must be set for more than one process: otherwise each process counts ' +
      'limits for itself.\n',
  });
  assert.deepEqual(await runInProcess(['brew']), {
    code: 2,
    out: '',
    err: 'tally: unknown command "brew"; see tally --help.\n',
  });
  const unavailable = await runInProcess(['keys', 'list'], {
    DB_URL: 'postgres://authenticator:x@127.0.0.1:1/x',
    DB_SERVICE_ROLE_KEY: 'x',
  });
  assert.deepEqual(unavailable, {
    code: 3,
    out: '',
    err:
      'tally keys: The database cannot be reached (connect ECONNREFUSED 127.0.0.1:1); try again later, ' +
      'or check DB_URL.\n',
  });
});

/** Reports an error of `tally start`, and returns the exit code and the text. */
function explained(failure: Error): [code: number, text: string] {
  let err = '';
  const recordError = (text: string): void => {
    err += text;
  };
  return [reportError({ name: 'start' }, failure, { err: recordError }), err];
}

test('names a missing file of --env-file, which Node would read itself', () => {
  const { status, stderr } = spawnSync(program, ['demo-access', 'list', '--env-file', '/nowhere'], {
    env: { PATH: `${dirname(process.execPath)}:${process.env['PATH']}` },
    encoding: 'utf8',
  });
  assert.deepEqual([status, stderr], [2, 'tally demo-access: The file /nowhere does not exist.\n']);
});

test('names the file or folder when the system denies it', () => {
  const denied = Object.assign(new Error("EACCES: permission denied, mkdir '/backups'"), {
    code: 'EACCES',
    syscall: 'mkdir',
    path: '/backups',
  });
  assert.deepEqual(explained(denied), [
    2,
    'tally start: /backups cannot be used (EACCES): change its owner, or name another place.\n',
  ]);
});

test('names the full disk when a file cannot be written', () => {
  // The error of a write has no path.
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
  assert.deepEqual(explained(full), [
    3,
    'tally start: The disk is full (ENOSPC): free space, or name another place.\n',
  ]);
});

test('names the full disk when the database has no space left', () => {
  const full = Object.assign(new Error('could not extend file "base/5/17281"'), { code: '53100' });
  for (const error of [full, new AppError('UNAVAILABLE', { cause: full })])
    assert.deepEqual(explained(error), [
      3,
      'tally start: The disk of the database is full (could not extend file "base/5/17281"): free space, then try again.\n',
    ]);
});

test('mentions the database only when the database failed', () => {
  assert.deepEqual(explained(new AppError('UNAVAILABLE', { message: 'AAPL cannot be looked up right now.' })), [
    3,
    'tally start: AAPL cannot be looked up right now.\n',
  ]);
  assert.deepEqual(explained(new Error('timeout expired')), [
    3,
    'tally start: The database cannot be reached (timeout expired); try again later, or check DB_URL.\n',
  ]);
  const cause = new Error('timeout');
  assert.match(explained(new AppError('UNAVAILABLE', { cause }))[1], /The database cannot be reached \(timeout\)/);
});

test('names an option when no subcommand of the command has it', async () => {
  for (const argv of [
    ['keys', 'list', '--alll'],
    ['migrate', '--jsn'],
    ['flags', 'set', 'a-flag', '--percentage', '5'],
  ])
    assert.match((await runInProcess(argv)).err, /: unknown option --(alll|jsn|percentage)\.\n$/);
  assert.doesNotMatch((await runInProcess(['keys', 'list', '--name', 'x'])).err, /unknown option/);
});

test('creates and distributes nothing when no cluster is configured', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tally-none-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  const { code, err } = await runInProcess(['migrate', '--distribute'], { DATA_DIR: join(folder, 'data') });
  assert.deepEqual(
    [code, err],
    [2, 'tally migrate: The settings DB_URL and DB_OWNER_URL must name the coordinator of a Citus cluster.\n'],
  );
  assert.equal(existsSync(join(folder, 'data')), false);
});

test('creates no database when a command finds none', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tally-none-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const argv of [['keys', 'list'], ['worker'], ['flags', 'list']]) {
    const { code, err } = await runInProcess(argv, { DATA_DIR: join(folder, 'data') });
    assert.equal(code, 2);
    assert.match(err, /^tally \w+: No database in .*data yet: run "tally start" or "tally migrate" first,/);
  }
  assert.equal(existsSync(join(folder, 'data')), false);
});

test('names the damaged file when a backup is verified without settings', async (t) => {
  const { database } = await createSeededDatabase(t);
  const folder = mkdtempSync(join(tmpdir(), 'tally-verify-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  const backup = join(folder, 'backup');
  const settings = { ...getDatabaseSettings(database), DB_OWNER_URL: database.ownerUrl };
  assert.equal((await runInProcess(['backup', backup], settings)).code, 0);

  // A machine with copies of backups has no service, and the settings of another do not matter.
  const othersSettings: Record<string, string> = { PORT: 'x', DB_URL: 'postgres://authenticator:x@127.0.0.1:1/x' };
  for (const environment of [{}, othersSettings]) {
    const { code, out, err } = await runInProcess(['backup', 'verify', backup], environment);
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, /^\d+ rows of \d+ tables, \d+ migrations, in .*backup\nOf Tally .*: complete and undamaged\n$/);
  }

  truncateSync(join(backup, 'jobs.json'), 1);
  const { code, out, err } = await runInProcess(['backup', 'verify', backup]);
  assert.deepEqual([code, out], [1, '']);
  assert.match(err, /^tally backup: [^\n]*jobs\.json[^\n]*missing or damaged[^\n]*\.\n$/);
});

test.for([
  ['start', 'PORT'],
  ['worker', 'WORKER_PORT'],
] as const)('ends %s with 2 when the port of %s is in use', async ([command, setting], t) => {
  const { database } = await createSeededDatabase(t);
  const reserved = await reservePort('127.0.0.1');
  t.onTestFinished(() => reserved.release());
  const settings = { ...getDatabaseSettings(database), WORKER: 'off', [setting]: String(reserved.port) };
  const { code, out, err } = await runInProcess([command], settings);
  assert.deepEqual([code, out], [2, '']);
  assert.match(
    err,
    new RegExp(`^tally ${command}: The port ${reserved.port} of .* is in use by another program; .*${setting}`),
  );
});

/** States of DATA_DIR in which a start fails. systemd starts the service again, except after 2. */
const startErrors: [
  state: string,
  code: number,
  prepare: (dataDir: string, t: TestContext) => unknown,
  path?: string,
][] = [
  [
    'another process uses it',
    3,
    async (dataDir, t) => {
      const lock = await lockDataDirectory(dataDir);
      t.onTestFinished(() => lock.release());
    },
  ],
  ['a file of the database is damaged', 2, (dataDir) => truncateSync(join(dataDir, 'postgres/global/pg_control'))],
  [
    'the database is of another version of PostgreSQL',
    2,
    (dataDir) => writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '9\n'),
  ],
  ['the database has no secrets', 2, (dataDir) => rmSync(join(dataDir, 'secrets.json'))],
  ['the file of its lock cannot be opened', 2, (dataDir) => mkdirSync(join(dataDir, 'postgres.lock'))],
  ['it is below a file', 2, () => {}, 'data/secrets.json/data'],
];
test.for(startErrors)(
  'ends a start with one sentence when, in DATA_DIR, %s (%i)',
  { tags: ['slow'] },
  async ([, expected, prepare, path = 'data'], t) => {
    const folder = mkdtempSync(join(tmpdir(), 'tally-start-error-'));
    t.onTestFinished(() => rmSync(folder, { recursive: true }));
    const dataDir = join(folder, 'data');
    await prepareData(dataDir);
    loadOrCreateLocalSecrets(dataDir);
    await prepare(dataDir, t);
    const settings = { DATA_DIR: join(folder, path), PORT: '0', LOG_LEVEL: 'silent' };
    const { code, out, err } = await runInProcess(['start'], settings);
    assert.deepEqual([code, out], [expected, ''], err);
    assert.match(err, /^tally start: [^\n]+\.\n$/);
  },
);

test('reads standard input byte for byte when a command takes a file', { tags: ['slow'] }, () => {
  const request = Buffer.from('{"model":"claude-opus-5","messages":[{"role":"user","content":"a\xff"}]}', 'latin1');
  assert.deepEqual(tally(['count', '-'], {}, request), {
    code: 1,
    out: '',
    err:
      'tally count: -: The request body is not valid JSON: str is not valid UTF-8: surrogates not allowed: ' +
      'line 1 column 1 (char 0)\n',
  });
});

test('prints the version and no stack trace when the reader closes the pipe', { tags: ['slow'] }, () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  assert.deepEqual(tally(['--version']), { code: 0, out: `${version}\n`, err: '' });
  const piped = spawnSync('/bin/sh', ['-c', `"${process.execPath}" "${program}" --help | head -c 0; true`], {
    encoding: 'utf8',
  });
  assert.deepEqual([piped.status, piped.stderr], [0, '']);
});

test('keeps serving and stops on a signal when the reader of its output exits', { tags: ['slow'] }, async (t) => {
  const { database } = await createSeededDatabase(t);
  const folder = mkdtempSync(join(tmpdir(), 'tally-unread-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  const reserved = await reservePort('127.0.0.1');
  await reserved.release();
  const env = { PATH: process.env['PATH'], ...getDatabaseSettings(database), DATA_DIR: folder, LOG_LEVEL: 'info' };
  const service = spawn(process.execPath, [program, 'start'], { env: { ...env, PORT: String(reserved.port) } });
  t.onTestFinished(() => {
    service.kill('SIGKILL');
  });
  service.stdout.destroy();
  service.stderr.destroy();
  const url = `http://127.0.0.1:${reserved.port}`;
  const isReady = async () => (await fetch(`${url}/healthz`).catch(() => undefined))?.ok === true;
  await eventually(async () => service.exitCode !== null || (await isReady()));
  // Writes more than the stream buffers, so that the service meets the closed pipe.
  for (let sent = 0; sent < 60; sent += 1) assert.equal((await fetch(`${url}/nothing`)).status, 404);
  service.kill('SIGTERM');
  assert.deepEqual(await once(service, 'exit'), [0, null]);
});

test('cuts a request off and exits with 1 when SHUTDOWN_TIMEOUT_SECONDS is over', { tags: ['slow'] }, async (t) => {
  const { database } = await createSeededDatabase(t);
  const folder = mkdtempSync(join(tmpdir(), 'tally-slow-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  const service = startService({ ...getDatabaseSettings(database), DATA_DIR: folder, SHUTDOWN_TIMEOUT_SECONDS: '1' });
  t.onTestFinished(async () => {
    await service.end('SIGKILL');
  });
  const { port } = new URL(await service.ready);
  const client = connect(Number(port), '127.0.0.1');
  client.on('error', () => {});
  client.write(
    'POST /_idp/v1/client/sign_ins HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\nexpect: 100-continue\r\n\r\n',
  );
  await once(client, 'data');
  assert.equal(await service.end('SIGTERM'), 1);
  assert.match(service.output(), /some work did not end within SHUTDOWN_TIMEOUT_SECONDS and was canceled\.\n$/);
});

/** Twenty mistakes of operators: the settings, and the name that the sentence must contain. */
const mistakes: [setting: string, given: Record<string, string>][] = [
  ['SMTP_URL', { SMTP_URL: 'mail.example.com:587', MAIL_FROM: 'tally@example.com' }],
  ['MAIL_FROM', { SMTP_URL: 'smtp://mail.example.com' }],
  ['SIGN_UP', { SIGN_UP: 'off' }],
  ['SAMPLE_DATA', { SAMPLE_DATA: 'no' }],
  ['DB_SSLMODE', { DB_SSLMODE: 'verify' }],
  ['DB_SSLROOTCERT', { DB_SSLROOTCERT: '/etc/ssl/no-such-file.pem' }],
  ['DB_URL', { DB_URL: 'postgres://a:p@ss@db/tally', DB_SERVICE_ROLE_KEY: 'k' }],
  ['DB_URL', { DB_URL: 'postgres://a:b@db/tally?sslmode=prefer', DB_SERVICE_ROLE_KEY: 'k' }],
  ['DB_SERVICE_ROLE_KEY_FILE', { DB_SERVICE_ROLE_KEY_FILE: '/run/secrets/no-such-file' }],
  ['METRICS_TOKEN_FILE', { METRICS_TOKEN_FILE: '/etc/hostname', METRICS_TOKEN: 'a token of sixteen' }],
  ['METRICS_TOKEN', { METRICS_TOKEN: 'too short' }],
  ['REDIS_CA_FILE', { REDIS_CA_FILE: '/etc/hostname' }],
  ['TERMS_FILE', { TERMS_FILE: '/no-such-file.md' }],
  ['DATA_DIR', { DATA_DIR: '/etc/hostname' }],
  ['DB_REPLICA_URL', { DB_REPLICA_URL: 'db:5432' }],
  ['DEMO_ACCESS_RESET', { DEMO_ACCESS_RESET: '25:00' }],
  ['SHUTDOWN_TIMEOUT_SECONDS', { SHUTDOWN_TIMEOUT_SECONDS: '0' }],
  ['CONNECTIONS_KEY', { CONNECTIONS_KEY_PREVIOUS: 'lost', DB_URL: 'postgres://a@b/c', DB_SERVICE_ROLE_KEY: 'k' }],
  ['REVENUE_OPERATOR_TOKEN', { REVENUE_OPERATOR_TOKEN: 'a'.repeat(64), DEMO_ACCESS_OPERATOR_TOKEN: 'a'.repeat(64) }],
  ['OTEL_EXPORTER_OTLP_HEADERS', { OTEL_EXPORTER_OTLP_HEADERS: 'api-key: secret' }],
];
test.for(mistakes)('ends with 2 and one sentence that names %s when it is wrong', async ([setting, given]) => {
  const { code, out, err } = await runInProcess(['start'], given);
  assert.deepEqual([code, out], [2, ''], err);
  assert.match(err, new RegExp(`^tally start: .*\\b${setting}\\b.*\\.\n$`));
});
