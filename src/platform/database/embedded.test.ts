// @module-tag slow
import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { queryAsOwner } from '../../../test/support/cluster.ts';
import { runDatabaseChild, secrets } from '../../../test/support/database-child.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { prepareData } from '../../../test/support/prepared-data.ts';
import { DataDirectoryInUse, explainLostServer, startEmbedded } from './embedded.ts';

async function emptyFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tally-embedded-'));
  t.onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Returns a data directory on which a server has run before. */
async function usedFolder(t: TestContext): Promise<string> {
  const folder = await emptyFolder(t);
  await prepareData(folder);
  return folder;
}

const start = (dataDir: string) => startEmbedded({ dataDir, secrets, durable: false });

/** Starts a server, checks that the database responds, and stops it. */
async function assertStarts(dataDir: string): Promise<void> {
  const server = await start(dataDir);
  try {
    assert.deepEqual(await queryAsOwner(server.ownerUrl, 'select 1 as one'), [{ one: 1 }]);
  } finally {
    await server.stop();
  }
}

const postmaster = async (dataDir: string) =>
  Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

// As root the folder is also below a folder that only root may enter.
test('keeps data after a restart when the path is long, private and has a space', async (t) => {
  const locked = join(await emptyFolder(t), 'locked');
  await mkdir(locked);
  await chmod(locked, 0o700);
  const dataDir = join(locked, 'with a space', 'x'.repeat(120), 'data');
  const first = await start(dataDir);
  await queryAsOwner(first.ownerUrl, 'create table kept (n int); insert into kept values (7)');
  const pid = await postmaster(dataDir);
  await first.stop();
  assert.equal(isAlive(pid), false);
  const second = await start(dataDir);
  t.onTestFinished(() => second.stop());
  assert.deepEqual(await queryAsOwner(second.ownerUrl, 'select n from kept'), [{ n: 7 }]);
  assert.deepEqual(
    await queryAsOwner(
      second.ownerUrl,
      `select current_setting('server_encoding') as e, datlocale as l, lower('ÄΣ') as low from pg_database
       where datname = current_database()`,
    ),
    [{ e: 'UTF8', l: 'C.UTF-8', low: 'äσ' }],
  );
  assert.deepEqual(
    (await readdir(dataDir)).filter((name) => name.startsWith('postgres.new')),
    [],
  );
});

test('accepts only the right password on the socket', async (t) => {
  const server = await start(await usedFolder(t));
  t.onTestFinished(() => server.stop());
  await assert.rejects(queryAsOwner(server.ownerUrl.replace(/:[^:@]*@/, ':wrong@'), 'select 1'), { code: '28P01' });
  assert.deepEqual(await queryAsOwner(server.ownerUrl, 'show listen_addresses'), [{ listen_addresses: '' }]);
});

test('rejects a second start with directory and pid in one sentence', async (t) => {
  const dataDir = await usedFolder(t);
  const server = await start(dataDir);
  t.onTestFinished(() => server.stop());
  await assert.rejects(
    start(dataDir),
    (error: Error) =>
      error instanceof DataDirectoryInUse &&
      error.message.includes(dataDir) &&
      error.message.includes(String(process.pid)),
  );
  assert.match(
    await runDatabaseChild('start', dataDir).answer,
    new RegExp(`^DataDirectoryInUse: .*${dataDir}.* ${process.pid}`),
  );
  assert.deepEqual(await queryAsOwner(server.ownerUrl, 'select 1 as one'), [{ one: 1 }]);
});

test('starts one server when four processes start at once on an empty directory', async (t) => {
  const dataDir = join(await emptyFolder(t), 'data');
  const children = Array.from({ length: 4 }, () => runDatabaseChild('start', dataDir));
  const answers = await Promise.all(children.map((child) => child.answer));
  assert.equal(answers.filter((answer) => answer.startsWith('ready ')).length, 1, answers.join('\n'));
  assert.equal(answers.filter((answer) => answer.startsWith('DataDirectoryInUse')).length, 3, answers.join('\n'));
  for (const child of children) child.process.stdin?.end();
  await Promise.all(children.map((child) => child.ended));
  await assertStarts(dataDir);
});

test('uses a running server on the command line or starts one', async (t) => {
  const dataDir = await usedFolder(t);
  const attached = await startEmbedded({ dataDir, secrets, durable: false, attach: true });
  assert.equal(attached.attached, false);
  await queryAsOwner(attached.ownerUrl, 'create table seen (n int)');
  const child = runDatabaseChild('attach', dataDir);
  const attachedUrl = (await child.answer).replace('ready ', '');
  assert.deepEqual(await queryAsOwner(attachedUrl, 'select n from seen'), []);
  child.process.stdin?.end();
  await child.ended;
  assert.deepEqual(await queryAsOwner(attached.ownerUrl, 'select n from seen'), []);
  await attached.stop();
});

test('stops the server and keeps committed data when the process is killed', async (t) => {
  const dataDir = await usedFolder(t);
  for (let round = 1; round <= 2; round += 1) {
    const child = runDatabaseChild('start', dataDir);
    const ownerUrl = (await child.answer).replace('ready ', '');
    await queryAsOwner(ownerUrl, `create table if not exists kept (n int); insert into kept values (${round})`);
    const pid = await postmaster(dataDir);
    child.process.kill('SIGKILL');
    await child.ended;
    if (round === 1) await eventually(() => !isAlive(pid)); // else the next start meets the exiting server
  }
  const server = await start(dataDir);
  t.onTestFinished(() => server.stop());
  assert.deepEqual(await queryAsOwner(server.ownerUrl, 'select n from kept order by n'), [{ n: 1 }, { n: 2 }]);
});

test.for([
  { moment: 'before it creates files', delayMs: 60 },
  { moment: 'when it begins to create files', delayMs: 120 },
  { moment: 'while it creates files', delayMs: 240 },
  { moment: 'after it has created files', delayMs: 420 },
  { moment: 'when it has started', delayMs: 650 },
])('starts again after a start that was killed $moment', async ({ delayMs }, t) => {
  const dataDir = join(await emptyFolder(t), 'killed');

  const child = runDatabaseChild('start', dataDir);
  await sleep(delayMs);
  child.process.kill('SIGKILL');
  await child.ended;

  await assertStarts(dataDir);
});

test('starts when the number in the pid file belongs to another program', async (t) => {
  const dataDir = await usedFolder(t);
  await assertStarts(dataDir);
  await writeFile(
    join(dataDir, 'postgres/postmaster.pid'),
    `${process.ppid}\n${dataDir}/postgres\n1\n5432\n\n\n  1 1\nready\n`,
  );
  await assertStarts(dataDir);
});

test('stops a server that lost its supervisor at the next start', async (t) => {
  const dataDir = await usedFolder(t);
  const child = runDatabaseChild('start', dataDir);
  await child.answer;
  const pid = await postmaster(dataDir);
  if (process.platform !== 'linux') return t.skip('finding the supervisor needs /proc');
  const supervisor = Number(/^PPid:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]);
  process.kill(supervisor, 'SIGKILL');
  child.process.kill('SIGKILL');
  await child.ended;
  assert.equal(isAlive(pid), true);
  await assertStarts(dataDir);
  await eventually(() => !isAlive(pid));
});

test('waits for processes of a killed server that still use its memory', async (t) => {
  const dataDir = await usedFolder(t);
  const child = runDatabaseChild('start', dataDir);
  const client = new pg.Client({ connectionString: (await child.answer).replace('ready ', '') });
  client.on('error', () => {});
  await client.connect();
  const backend = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0;
  process.kill(backend, 'SIGSTOP');
  process.kill(await postmaster(dataDir), 'SIGKILL');
  child.process.kill('SIGKILL');
  await child.ended;
  const started = assertStarts(dataDir);
  await eventually(async () => (await readFile(join(dataDir, 'postgres.log'), 'utf8')).includes('still in use'));
  process.kill(backend, 'SIGKILL');
  await started;
});

test('removes a throw-away server’s data when its process is killed', async (t) => {
  for (const ending of ['stopped', 'killed']) {
    const dataDir = await usedFolder(t);
    const child = runDatabaseChild('throwaway', dataDir);
    const socketFolder = decodeURIComponent(/host=([^&]+)/.exec(await child.answer)?.[1] ?? '');
    assert.ok((await readdir(socketFolder)).length > 0);
    if (ending === 'killed') child.process.kill('SIGKILL');
    else child.process.stdin?.end();
    await child.ended;
    const isRemoved = (path: string) =>
      readdir(path).then(
        () => false,
        (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
      );
    await eventually(async () => (await isRemoved(dataDir)) && (await isRemoved(socketFolder)));
  }
});

test('removes the private folder of a killed start at the next start', async (t) => {
  const dataDir = await usedFolder(t);
  const child = runDatabaseChild('start', dataDir);
  const readLockHolder = async () =>
    JSON.parse(await readFile(join(dataDir, 'postgres.holder.json'), 'utf8').catch(() => '{}')) as { runtime?: string };
  await eventually(async () => (await readLockHolder()).runtime !== undefined);
  child.process.kill('SIGKILL');
  await child.ended;
  const { runtime = '' } = await readLockHolder();
  await assertStarts(dataDir);
  await assert.rejects(readdir(runtime), { code: 'ENOENT' });
});

test('describes a lost connection by the full disk that the log of the server names', async (t) => {
  const dataDir = await emptyFolder(t);
  const lost = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
  assert.equal(await explainLostServer(dataDir, lost), lost);
  const panic = 'PANIC:  could not write to file "pg_wal/xlogtemp.1": No space left on device';
  await writeFile(join(dataDir, 'postgres.log'), `LOG:  started\n${panic}\nLOG:  terminating\n`);
  assert.match(String(await explainLostServer(dataDir, lost)), /is on a full disk \(ENOSPC\); free space/);
  const other = new Error('a fault of the program');
  assert.equal(await explainLostServer(dataDir, other), other);
});
