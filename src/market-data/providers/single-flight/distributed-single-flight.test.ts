import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { createDistributedSingleFlight } from './distributed-single-flight.ts';

test('calls the provider once when several processes make the same call', async (t) => {
  const { database, owner } = await createTestDatabase(t);
  const processes = [1, 2, 3].map(() => createDistributedSingleFlight(database.service, assert.ifError));
  let calls = 0;
  const { promise: answered, resolve: answer } = Promise.withResolvers<{ name: string }>();
  const shared = {
    key: 'lookup:AAPL',
    call: () => {
      calls += 1;
      return answered;
    },
    ttlMs: () => 60_000,
  };
  const pending = processes.map((singleFlight) => singleFlight(shared));
  await eventually(async () => (await owner('select from market.call_leases')).length === 1 && calls === 1);
  answer({ name: 'Apple' });
  assert.deepEqual(await Promise.all(pending), [{ name: 'Apple' }, { name: 'Apple' }, { name: 'Apple' }]);
  assert.deepEqual([await processes[2]!(shared), calls], [{ name: 'Apple' }, 1], 'the result is stored');
  await owner(`update market.call_leases set leased_until = now() - interval '1 second'`);
  await processes[1]!(shared);
  assert.equal(calls, 2, 'and calls again when the result has expired');
});

test('calls the provider in each process when the leader stores nothing, fails or dies', async (t) => {
  const { database, owner } = await createTestDatabase(t);
  const singleFlight = createDistributedSingleFlight(database.service, assert.ifError);
  let calls = 0;
  const makeCall = async () => {
    calls += 1;
    return calls;
  };
  assert.deepEqual(
    [await singleFlight({ key: 'a', call: makeCall }), await singleFlight({ key: 'a', call: makeCall })],
    [1, 2],
  );
  const failing = { key: 'a', call: () => Promise.reject(new Error('provider unavailable')) };
  await assert.rejects(singleFlight(failing), /provider unavailable/);
  assert.equal(await singleFlight({ key: 'a', call: makeCall }), 3);
  await owner(
    `insert into market.call_leases (name, leased_until) values ('gone', now() + interval '300 milliseconds')`,
  );
  assert.equal(await singleFlight({ key: 'gone', call: makeCall }), 4);
  await owner(`insert into market.call_leases (name, leased_until) values ('hung', now() + interval '1 day')`);
  assert.equal(
    await singleFlight({ key: 'hung', call: makeCall, leaseTtlMs: 200 }),
    5,
    'waits no longer than its own lease time',
  );
});

test('returns the stored result to waiting processes and purges expired leases', async (t) => {
  const { database, owner } = await createTestDatabase(t);
  const singleFlight = createDistributedSingleFlight(database.service, assert.ifError);
  await owner(
    `insert into market.call_leases (name, leased_until) select 'old ' || n, now() - interval '2 hours'
       from generate_series(1, 5) n`,
  );
  let stored: string | undefined;
  const { promise: answered, resolve: answer } = Promise.withResolvers<string>();
  const first = singleFlight({
    key: 'news',
    call: async () => {
      stored = await answered;
      return stored;
    },
  });
  await eventually(async () => (await owner(`select from market.call_leases where name = 'news'`)).length === 1);
  const second = singleFlight({ key: 'news', call: () => assert.fail('called twice'), readStored: async () => stored });
  answer('articles');
  assert.deepEqual(await Promise.all([first, second]), ['articles', 'articles']);
  assert.equal((await owner(`select from market.call_leases where name like 'old %'`)).length, 0);
});

test('calls the provider when the database fails', async () => {
  const warned: unknown[] = [];
  const failingSql = { power: 'service', query: () => Promise.reject(new Error('unavailable')) } as never;
  const singleFlight = createDistributedSingleFlight(failingSql, (error) => {
    warned.push(error);
  });
  assert.equal(await singleFlight({ key: 'a', call: async () => 'told' }), 'told');
  assert.equal(warned.length, 1);
});
