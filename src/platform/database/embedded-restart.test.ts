import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { queryAsOwner } from '../../../test/support/cluster.ts';
import { secrets } from '../../../test/support/database-child.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { prepareData } from '../../../test/support/prepared-data.ts';
import { connectDatabase } from './connect.ts';
import { startEmbedded } from './embedded.ts';

test('restarts a killed database once on that socket with its data', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tally-restart-'));
  t.onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  await prepareData(dataDir);
  const restarts: string[] = [];
  const server = await startEmbedded({
    dataDir,
    secrets,
    durable: true,
    onRestart: () => restarts.push('restarted'),
    onExit: ({ message }) => restarts.push(message),
  });
  t.onTestFinished(() => server.stop());
  await queryAsOwner(server.ownerUrl, 'create table kept (n int); insert into kept values (1)');
  const kill = async () => {
    const pid = Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);
    process.kill(pid, 'SIGKILL');
  };
  const changes: boolean[] = [];
  const database = connectDatabase(
    { authenticator: server.ownerUrl, service: server.ownerUrl },
    { onAvailabilityChange: (isAvailable) => changes.push(isAvailable) },
  );
  t.onTestFinished(() => database.close());
  const probe = () => Promise.allSettled([1, 2, 3].map(() => database.service.query('select 1')));
  const isAvailable = async () => (await probe()).every(({ status }) => status === 'fulfilled');
  assert.ok(await isAvailable());
  await kill();
  await eventually(async () => !(await isAvailable()));
  await eventually(isAvailable);
  assert.deepEqual(changes, [false, true], 'the outage is reported once at each end');
  await eventually(() => restarts.length === 1);
  assert.deepEqual(restarts, ['restarted']);
  assert.deepEqual(await queryAsOwner(server.ownerUrl, 'select n from kept'), [{ n: 1 }]);
  await kill();
  await eventually(() => restarts.length === 2);
  assert.match(restarts[1]!, /^The embedded PostgreSQL exited unexpectedly/);
});
