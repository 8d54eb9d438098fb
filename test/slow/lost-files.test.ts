// @module-tag slow
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, test } from 'vitest';
import type { Finding } from '../../src/installation/check-installation.ts';
import { type FirstRun, readFirstRun } from '../../src/installation/first-run.ts';
import {
  getLoginPasswords,
  loadOrCreateLocalSecrets,
  readLocalSecrets,
  saveLocalSecrets,
} from '../../src/installation/local-secrets.ts';
import { createCheckClient } from '../../src/platform/database/disposable-client.ts';
import { withEmbedded } from '../../src/platform/database/embedded.ts';
import { createTestDatabase } from '../support/database.ts';
import { createSeededDatabase, getDatabaseSettings } from '../support/service.ts';
import { startService } from '../support/service-process.ts';

/* What a start does when a file of DATA_DIR is lost or damaged. The table in PAGE has the outcomes. */

const PAGE = fileURLToPath(new URL('../../docs/how-to/back-up-and-upgrade.md', import.meta.url));

let folder: string;
let intact: string;
let members: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tally-lost-files-'));
  intact = join(folder, 'intact');
  const service = startService({ DATA_DIR: intact });
  await service.ready;
  const { members: people } = JSON.parse(readFileSync(join(intact, 'first-run.json'), 'utf8')) as FirstRun;
  assert.equal(await service.end('SIGTERM'), 0);
  // A first start would give the first member a new password, and bring the last one back.
  await queryAsOwner(intact, `update idp.users set password_hash = 'changed' where email = '${people[0]!.email}'`);
  await queryAsOwner(intact, `delete from idp.users where email = '${people.at(-1)!.email}'`);
  await queryAsOwner(intact, `delete from public.all_users where email = '${people.at(-1)!.email}'`);
  // A later start would deliver the events of the first one, and create the deleted member again.
  await queryAsOwner(intact, 'delete from idp.webhook_messages');
  members = await readMembers(intact);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs one statement as the owner of a database that no service uses. */
async function queryAsOwner(dataDir: string, text: string): Promise<object[]> {
  const secrets = getLoginPasswords(readLocalSecrets(intact)!);
  return withEmbedded({ dataDir, secrets, create: false }, async ({ ownerUrl }) => {
    const client = createCheckClient(ownerUrl);
    await client.connect();
    try {
      return (await client.query<object>(text)).rows;
    } finally {
      await client.end();
    }
  });
}

const readMembers = async (dataDir: string): Promise<string> =>
  JSON.stringify(
    await queryAsOwner(
      dataDir,
      `select (select jsonb_agg(to_jsonb(u) order by u.id) from idp.users u) as users,
              (select jsonb_agg(to_jsonb(m) order by m.idp_id) from public.all_users m) as members,
              (select jsonb_agg(to_jsonb(g) order by g.idp_id) from public.tier_grants g) as grants,
              (select jsonb_agg(k.id order by k.id) from public.api_keys k) as keys`,
    ),
  );

/** Files of folders without which PostgreSQL does not start. */
const IMPORTANT_FILES: Readonly<Record<string, string>> = { postgres: 'global/pg_control', base: '5/1259' };

/** Returns the file itself, an important one of a folder, or its first one. */
function findFile(path: string): string {
  if (!statSync(path).isDirectory()) return path;
  const [first] = readdirSync(path).filter((name) => statSync(join(path, name)).isFile());
  return join(path, IMPORTANT_FILES[basename(path)] ?? first!);
}

const alterations = {
  lost: (path: string) => rmSync(path, { recursive: true }),
  empty: (path: string) => truncateSync(findFile(path)),
  damaged: (path: string) => writeFileSync(findFile(path), 'damaged'),
};

/** Copies a data directory with the owners of its files, since PostgreSQL does not run as root. */
const copyDataDir = (from: string, to: string) => execFileSync('cp', ['-a', from, to]);

/** Returns `starts`, or the sentence with which the start stops. */
async function describeStart(dataDir: string, settings: Record<string, string> = {}): Promise<string> {
  const service = startService({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...settings });
  try {
    await service.ready;
    assert.equal(await service.end('SIGTERM'), 0, service.output());
    return 'starts';
  } catch {
    const code = await service.end('SIGTERM');
    const [line = '', ...others] = service.output().trim().split('\n');
    assert.deepEqual(others, [], 'one sentence');
    const sentence = line.replace(/^tally start: /, '').replaceAll(dataDir, 'DATA_DIR');
    // Places in the log of changes differ between two runs.
    return `stops (${code}): ${sentence.replace(/ at [\dA-F]+\/[\dA-F]+/, '')}`;
  }
}

/** Returns the state of the check `database` of `tally doctor`. */
function examineDatabase(dataDir: string): string {
  const { stdout } = spawnSync(process.execPath, ['bin/tally.mjs', 'doctor', '--json'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir },
    encoding: 'utf8',
  });
  const findings = JSON.parse(stdout) as Finding[];
  return findings.find(({ name }) => name === 'database')!.state;
}

test('changes no member and gives the documented outcome when a file of DATA_DIR is lost or damaged', async () => {
  const rows: string[] = [];
  // PostgreSQL owns the files of its folder, except the one that we add.
  const inside = ['base', 'pg_wal', 'tally_owner_password'].map((name) => `postgres/${name}`);
  for (const file of [...readdirSync(intact), ...inside].sort()) {
    const outcomes: string[] = [];
    const states: string[] = [];
    for (const [alteration, alter] of Object.entries(alterations)) {
      const dataDir = join(folder, `${file.replace('/', '-')}-${alteration}`);
      copyDataDir(intact, dataDir);
      alter(join(dataDir, file));
      states.push(examineDatabase(dataDir));
      outcomes.push(await describeStart(dataDir));
      // Reading needs the lock.
      rmSync(join(dataDir, 'postgres.lock'), { force: true });
      if (file === 'postgres/tally_owner_password') cpSync(join(intact, file), join(dataDir, file));
      if (!/^postgres($|\/base|\/pg_wal)/.test(file))
        assert.equal(await readMembers(dataDir), members, `${file} ${alteration}`);
      rmSync(dataDir, { recursive: true });
    }
    rows.push(`| \`${file}\` | ${outcomes.join(' | ')} | ${states.join(', ')} |`);
  }
  const header = ['| file | lost | empty | damaged | `tally doctor` of the three |', '|---|---|---|---|---|'];
  const table = [...header, ...rows].join('\n');
  assert.ok(readFileSync(PAGE, 'utf8').includes(table), `the page must have this table:\n${table}`);
});

test('starts with the same members when lost secrets were created again', async () => {
  const dataDir = join(folder, 'created');
  copyDataDir(intact, dataDir);
  rmSync(join(dataDir, 'secrets.json'));
  const run = (...argv: string[]) =>
    execFileSync(process.execPath, ['bin/tally.mjs', ...argv], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { PATH: process.env['PATH'], DATA_DIR: dataDir },
      encoding: 'utf8',
    });
  assert.match(run('secrets', 'create'), /restart it now[^]*CONNECTIONS_KEY_PREVIOUS=lost/);

  for (const settings of [{ CONNECTIONS_KEY_PREVIOUS: 'lost' }, {}])
    assert.equal(await describeStart(dataDir, settings), 'starts');

  assert.equal(await readMembers(dataDir), members);
  assert.match(run('doctor'), /^database +ok /m);
});

test('changes no member when secrets.json is of another installation', async () => {
  const dataDir = join(folder, 'other-secrets');
  copyDataDir(intact, dataDir);
  const foreign = loadOrCreateLocalSecrets(join(folder, 'other-installation'));
  const run = (...argv: string[]) =>
    spawnSync(process.execPath, ['bin/tally.mjs', ...argv], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { PATH: process.env['PATH'], DATA_DIR: dataDir },
      encoding: 'utf8',
    });
  const sentence = /secrets\.json does not have the passwords of the database beside it: .*restart the service/;
  const service = startService({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
  await service.ready;
  saveLocalSecrets(dataDir, foreign);
  const { status, stderr } = run('keys', 'list');
  assert.equal(status, 3, stderr);
  assert.match(stderr, sentence);
  assert.equal(await service.end('SIGTERM'), 0);
  assert.match(run('doctor').stdout, new RegExp(`^database +wrong +\\S+${sentence.source}`, 'm'));

  assert.equal(await describeStart(dataDir), 'starts');

  assert.match(run('doctor').stdout, /^database +ok /m);
  saveLocalSecrets(dataDir, readLocalSecrets(intact)!);
  assert.equal(await describeStart(dataDir), 'starts');
  assert.equal(await readMembers(dataDir), members);
});

test('changes no member when secrets.json is of a time before the end of the first run', async () => {
  const dataDir = join(folder, 'early-secrets');
  copyDataDir(intact, dataDir);
  const secrets = readLocalSecrets(dataDir)!;
  saveLocalSecrets(dataDir, { ...secrets, seeded_at: null, demo_account_idp_user_id: null });
  const firstRun = readFileSync(join(dataDir, 'first-run.json'), 'utf8');

  assert.equal(await describeStart(dataDir), 'starts');

  assert.equal(await readMembers(dataDir), members);
  assert.equal((JSON.parse(firstRun) as FirstRun).api_key, readFirstRun(dataDir)!.api_key);
  assert.notEqual(readLocalSecrets(dataDir)!.seeded_at, null);
});

test('needs no file of DATA_DIR when the database is an external one', async (t) => {
  const { database } = await createSeededDatabase(t);
  const dataDir = join(folder, 'external');
  const { DB_URL, DB_SERVICE_ROLE_KEY } = getDatabaseSettings(database);
  const settings = { DB_URL, DB_SERVICE_ROLE_KEY };
  const readRows = () => database.owner('select to_jsonb(u) as "user" from idp.users u order by u.id');
  const before = await readRows();
  assert.equal(await describeStart(dataDir, settings), 'starts');
  assert.equal(existsSync(dataDir), false, 'a start writes no file there');

  // Such as those of the embedded database that was used before.
  copyDataDir(intact, dataDir);
  for (const file of ['secrets.json', 'first-run.json', 'postgres.lock']) alterations.damaged(join(dataDir, file));
  assert.equal(await describeStart(dataDir, settings), 'starts');
  assert.deepEqual(await readRows(), before);
});

test('stops at a damaged secrets.json when an external database has no tokens yet', async (t) => {
  const { DB_URL, DB_SERVICE_ROLE_KEY } = getDatabaseSettings(await createTestDatabase(t));
  const dataDir = join(folder, 'new-external');
  copyDataDir(intact, dataDir);
  alterations.damaged(join(dataDir, 'secrets.json'));
  const outcome = await describeStart(dataDir, { DB_URL, DB_SERVICE_ROLE_KEY });
  assert.match(outcome, /^stops \(2\): DATA_DIR\/secrets\.json is damaged/);
});
