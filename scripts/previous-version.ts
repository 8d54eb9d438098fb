/**
 * `npm run lab -- previous-version [--commit id]`: takes an earlier version (default: the one before the newest
 * migration) out of the repository, lets it migrate a database and serve it, and while members list, add, remove and
 * count, migrates the database to this version. The old servers go on, are started again, and stand beside a new one,
 * as in a rolling upgrade and in the way back. Ends with 1 where a request failed or something acknowledged was lost.
 * In a shallow clone, which has no earlier version, it says so and ends with 0.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { asOwner } from '../test/support/cluster.ts';
import { addSymbols } from '../test/support/watchlist-race.ts';
import { Ledger } from './faults/ledger.ts';
import { freePort } from './run/free-port.ts';
import { Client, type Reply } from './stack/client.ts';
import { createPart } from './stack/part.ts';
import { Person } from './stack/person.ts';
import { passwords, startPostgres } from './stack/postgres.ts';
import { SITE } from './stack/start-stack.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { commit: { type: 'string' } } });

const git = (...args: readonly string[]): string =>
  spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout?.trim() ?? '';
const newest = git('log', '-1', '--diff-filter=A', '--format=%H', '--', 'db/migrations');
const commit = git('rev-parse', '--verify', '--quiet', `${values.commit ?? `${newest}^`}^{commit}`);
if (commit === '') {
  console.log('NOT TRIED  there is no earlier version here: a shallow clone, or no repository (git fetch --unshallow)');
  process.exit(values.commit === undefined ? 0 : 2);
}

await using stack = new AsyncDisposableStack();
const before = mkdtempSync(join(tmpdir(), 'tally-previous-'));
git('worktree', 'add', '--detach', '--force', before, commit);
stack.defer(() => {
  git('worktree', 'remove', '--force', before);
  rmSync(before, { recursive: true, force: true });
});
symlinkSync(join(root, 'node_modules'), join(before, 'node_modules'));
const postgres = await startPostgres(stack, { migrated: false });
const settings = {
  PATH: process.env['PATH'],
  DATA_DIR: join(before, 'data'),
  DB_URL: postgres.urls.authenticator,
  DB_SERVICE_ROLE_KEY: passwords.service,
  DB_ASSISTANT_KEY: passwords.assistant,
  BASE_URL: SITE,
  CONNECTIONS_KEY: 'c0'.repeat(32),
  TRUSTED_PROXIES: '127.0.0.1',
  API_RATE_LIMIT: '1000000',
  TOKEN_COUNT_RATE_LIMITS: 'off',
  LOG_LEVEL: 'warn',
};

function tally(folder: string, ...args: readonly string[]): string {
  const env = { ...settings, DB_OWNER_URL: postgres.ownerUrl };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/tally.mjs', ...args], {
    ...{ cwd: folder, env, encoding: 'utf8', timeout: 120_000 },
  });
  if (status !== 0) throw new Error(`tally ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

async function serve(name: string, folder: string) {
  const port = await freePort();
  const part = createPart(name, () => ({
    command: [process.execPath, 'bin/tally.mjs', 'start'],
    options: { cwd: folder, env: { ...settings, PORT: String(port) } },
    serves: (output) => /^ready http/m.test(output),
  }));
  await part.start();
  stack.defer(async () => void (await part.end('SIGTERM')));
  return { part, url: `http://127.0.0.1:${port}` };
}

const describe = (folder: string): string =>
  spawnSync('git', ['log', '-1', '--format=%h %cI'], { cwd: folder, encoding: 'utf8' }).stdout.trim();
tally(before, 'migrate');
tally(before, 'flags', 'set', 'dashboard-watchlist-v01', '--percent', '100');
const key = tally(before, 'keys', 'create', '--name', 'Measured', '--tier', '4').match(/\S{20,}/)![0];
const old = await serve('the previous version', before);
const owner = <Row extends object>(text: string, sent: readonly unknown[] = []) =>
  asOwner<Row>(postgres.ownerUrl, text, sent);
const symbols = await addSymbols({ owner }, 15);

const failures: string[] = [];
let answered = 0;
let stopped = false;
const note = (phase: () => string, what: string, reply: Reply | undefined, right: number): void => {
  if (reply === undefined) return;
  if (reply.status === right) answered += 1;
  else failures.push(`${phase()}: ${what} answered ${reply.status} ${reply.code ?? ''}`);
};
let phase = 'before';

/** A member of that server, who adds, removes, lists and counts until told to stop. */
async function startMember(url: string) {
  const ledger = new Ledger(await new Person(url).signUp(), symbols);
  const counter = new Client(url);
  const body = { model: 'claude-opus-4-6', messages: [{ role: 'user', content: 'Hello' }] };
  const done = (async () => {
    for (let round = 0; !stopped; round += 1) {
      if (round % 2 === 0) note(() => phase, 'add', await ledger.add(), 201);
      else if (round % 3 === 0) note(() => phase, 'remove', await ledger.remove(), 204);
      note(() => phase, 'list', await ledger.list(), 200);
      const headers = { 'x-api-key': key, 'svc-version': '2023-06-01' };
      note(() => phase, 'count', await counter.send('POST', '/v1/messages/count_tokens', { body, headers }), 200);
      // A list that is full of its symbols is emptied again.
      if (round % 20 === 19) for (let n = 0; n < 12; n += 1) note(() => phase, 'remove', await ledger.remove(), 204);
      await sleep(50);
    }
  })();
  return { ledger, done };
}

const first = await Promise.all([startMember(old.url), startMember(old.url), startMember(old.url)]);
await sleep(2_000);
phase = 'during the migration';
const { applied } = JSON.parse(tally(root, 'migrate', '--json')) as { applied: string[] };
phase = 'after the migration';
await sleep(5_000);
phase = 'beside this version';
const [again, now] = [await serve('the previous version again', before), await serve('this version', root)];
const later = await Promise.all([startMember(again.url), startMember(now.url)]);
await sleep(5_000);
stopped = true;
const everybody = [...first, ...later];
await Promise.all(everybody.map(({ done }) => done));
for (const { ledger } of everybody) {
  if (!(await ledger.settle())) failures.push('a list could not be read');
  failures.push(...ledger.broken);
}
console.log(
  `previous version: ${describe(before)}; migrations applied while it served: ${applied.join(', ') || 'none'}`,
);
console.log(
  `${answered} requests answered, ${everybody.reduce((sum, { ledger }) => sum + ledger.acknowledged, 0)} adds and ` +
    `removals acknowledged, ${failures.length} failures`,
);
for (const failure of new Set(failures)) console.log(`WRONG  ${failure}`);
if (applied.length === 0) console.log('NOT TRIED  there is no migration between the two versions');
process.exitCode = failures.length > 0 ? 1 : 0;
