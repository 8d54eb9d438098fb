// @module-tag slow
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, test, type TestContext } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../../test/support/eventually.ts';
import { startWithStandby, type Standby } from '../../../test/support/standby.ts';
import { queryAsOwner, withDatabase } from '../../../test/support/cluster.ts';
import { checkReplica } from './check-read-servers.ts';
import { connectDatabase, type Database } from './connect.ts';
import type { ReplicaState } from './replica.ts';

let servers: Standby;
beforeAll(async () => {
  servers = await startWithStandby();
  await servers.onPrimary(
    `insert into public.tracked_tickers_latest (symbol, name, asset_type) values ('ONE', 'One', 'stock');
     insert into public.all_users (idp_id) values ('user_a')`,
  );
  await servers.waitUntilCaughtUp();
});

afterAll(() => servers.stop());

const WHERE = 'select pg_is_in_recovery() as standby';

function connect(t: TestContext, replica = servers.standby.urls.service, replicaLag = 2_000) {
  const states: ReplicaState[] = [];
  const database = connectDatabase(
    { ...servers.primary.urls, replica },
    { maxReplicaLagMs: replicaLag, onReplicaStateChange: (state) => states.push(state) },
  );
  t.onTestFinished(() => database.close());
  return { database, states };
}

const onStandby = async (database: Database): Promise<boolean> =>
  (await database.marketReads.query<{ standby: boolean }>(WHERE))[0]!.standby;

test('reads market data from the standby, and everything else from the primary', async (t) => {
  const { database, states } = connect(t);
  assert.equal(await onStandby(database), false, 'the first read does not wait for a look at the standby');
  await eventually(() => onStandby(database));
  assert.deepEqual(states, [{ reading: true }]);
  assert.ok(database.replica!.getLagMs() < 2_000 && database.replica!.reads.replica > 0);

  const otherUrls = [
    database.service.query<{ standby: boolean }>(WHERE),
    database.asMember({ sub: 'user_a' }).query<{ standby: boolean }>(WHERE),
    database.transactionAs({ sub: 'user_a' }, ({ service }) => service.query<{ standby: boolean }>(WHERE)),
    database.marketReads.transaction((sql) => sql.query<{ standby: boolean }>(WHERE)),
  ];
  for (const [row] of await Promise.all(otherUrls)) assert.equal(row!.standby, false);
});

test('returns a member’s own writes at once when the replay is paused', async (t) => {
  const { database, states } = connect(t);
  await eventually(() => onStandby(database));
  // A standby within the lag limit may still lack the last rows.
  await eventually(async () => (await servers.onStandby('select from public.tracked_tickers_latest')).length > 0);
  await servers.onStandby('select pg_wal_replay_pause()');
  t.onTestFinished(async () => {
    await servers.onStandby('select pg_wal_replay_resume()');
  });
  const member = database.asMember({ sub: 'user_a' });
  await database.service.query(`select from public.add_watchlist_items('user_a', array['ONE'])`);
  assert.deepEqual(await member.query('select symbol from public.watchlist_items'), [{ symbol: 'ONE' }]);
  // Within the lag limit the standby responds with older rows, and beyond it the primary responds.
  await database.service.query(`update public.tracked_tickers_latest set name = 'Two'`);
  const name = async () =>
    (await database.marketReads.query<{ name: string }>('select name from public.tracked_tickers_latest'))[0]!.name;
  assert.equal(await name(), 'One');
  await eventually(async () => (await name()) === 'Two');
  assert.equal(await onStandby(database), false);
  await eventually(async () => !(await onStandby(database)) && states.length === 2);
  assert.deepEqual(states.at(-1), { reading: false, reason: 'lag above the limit' });

  await servers.onStandby('select pg_wal_replay_resume()');
  await eventually(() => onStandby(database));
  assert.equal(await name(), 'Two');
});

test('reads from the primary first after an idle time without probes', async (t) => {
  const { database, states } = connect(t, undefined, 500);
  await eventually(() => onStandby(database));
  await sleep(700);
  assert.equal(await onStandby(database), false);
  await eventually(() => onStandby(database));
  assert.deepEqual(states, [{ reading: true }], 'which is no news');
});

test('repeats a failed statement of the standby once on the primary', async (t) => {
  const { database, states } = connect(t);
  await eventually(() => onStandby(database));
  await database.marketReads.query(`update public.tracked_tickers_latest set exchange = 'XNYS'`);
  await assert.rejects(database.marketReads.query('select from public.no_such_table'), { code: '42P01' });
  assert.equal(await onStandby(database), true, 'the standby is not left for it');
  assert.deepEqual(states, [{ reading: true }]);
  assert.deepEqual(await servers.onPrimary('select exchange from public.tracked_tickers_latest'), [
    { exchange: 'XNYS' },
  ]);
});

test('falls back to the primary when the replica is unreachable or hangs', async (t) => {
  const silentServer = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silentServer, 'listening');
  t.onTestFinished(() => {
    silentServer.close();
  });
  const { port } = silentServer.address() as { port: number };
  for (const replica of [`postgres://x:y@127.0.0.1:${port}/postgres`, 'postgres://x:y@127.0.0.1:9/postgres']) {
    const { database } = connect(t, replica);
    for (let read = 0; read < 20; read += 1) {
      assert.equal(await onStandby(database), false);
      await sleep(20);
    }
    assert.equal(database.replica!.getLagMs(), Infinity);
  }
  await assert.rejects(checkReplica(servers.primary.urls.service, 'postgres://x:y@127.0.0.1:9/x'), {
    name: 'UnreachableServer',
    setting: 'DB_REPLICA_URL',
  });
});

test('rejects a server that is no standby of this database and schema', async () => {
  const { primary, standby } = servers;
  const check = (replica: string, primaryUrl = primary.urls.service) => checkReplica(primaryUrl, replica);
  assert.equal(await check(standby.urls.service), undefined);
  assert.match((await check(primary.urls.service))!, /accepts writes/);
  assert.match((await check(standby.urls.service.replace('second', 'wrong')))!, /password/);
  await queryAsOwner(primary.ownerUrl, 'create database other');
  await servers.waitUntilCaughtUp();
  assert.match((await check(withDatabase(standby.urls.service, 'other')))!, /follows another database/);
});

test('skips a standby that hangs during its responses', async (t) => {
  if (process.platform === 'win32') return t.skip('a process cannot be frozen there');
  const { database } = connect(t);
  await eventually(() => onStandby(database));
  const frozen = await servers.onStandby<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'tally'`,
  );
  assert.ok(frozen.length > 0);
  for (const { pid } of frozen) process.kill(pid, 'SIGSTOP');
  try {
    assert.equal(await onStandby(database), false);
  } finally {
    for (const { pid } of frozen) process.kill(pid, 'SIGCONT');
  }
  await eventually(() => onStandby(database));
});

// The last test, because it stops the standby.
test('continues reads when the standby stops', async (t) => {
  const { database } = connect(t);
  await eventually(() => onStandby(database));
  let stop = false;
  const failures: unknown[] = [];
  const readers = Array.from({ length: 4 }, async () => {
    while (!stop) await database.marketReads.query(WHERE).catch((error: unknown) => failures.push(error));
  });
  await servers.endStandby();
  await eventually(async () => !(await onStandby(database)));
  stop = true;
  await Promise.all(readers);
  assert.deepEqual(failures, []);
});
