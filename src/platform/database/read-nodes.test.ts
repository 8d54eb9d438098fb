import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createTestDatabase } from '../../../test/support/database.ts';
import { AppError } from '../../errors.ts';
import { reservePort } from '../http/reserve-port.ts';
import { connectDatabase } from './connect.ts';
import { buildNodeUrl, isReadOnWorkers, routeReads, type ReadNode } from './read-nodes.ts';
import type { WithClient } from './replica.ts';

test('keeps login, database and parameters when it names another node', () => {
  for (const [url, expected] of [
    [
      'postgres://login:p%40ss@coordinator:5432/tally?sslmode=require',
      'postgres://login:p%40ss@w:1/tally?sslmode=require',
    ],
    ['postgresql://login@coordinator/tally', 'postgresql://login@w:1/tally'],
    ['postgres://coordinator/tally', 'postgres://w:1/tally'],
  ] as const)
    assert.equal(buildNodeUrl(url, 'w:1'), expected);
});

test("reads on the member's worker, and elsewhere when it does not respond", async () => {
  const asked: string[] = [];
  let isUp = true;
  const nodes = createNodes(['a', 'b', 'c'], (name) => {
    asked.push(name);
    if (name === 'b' && !isUp) throw new AppError('UNAVAILABLE', {});
  });
  const failures: string[] = [];
  const acquireFor = routeReads(
    nodes,
    createNode(assert.fail),
    async () => ['b', 'c'],
    (name) => failures.push(name),
  );
  for (let count = 0; count < 3; count += 1) await acquireFor('member_1')(async () => {});
  assert.deepEqual(asked, ['b', 'b', 'b']);
  isUp = false;
  for (let count = 0; count < 2; count += 1) await acquireFor('member_1')(async () => {});
  assert.deepEqual(asked.slice(3, 4), ['b']);
  assert.deepEqual(asked.slice(4).toSorted(), ['a', 'c']);
  assert.deepEqual(failures, ['b']);
});

test("gives each node the same share of reads when none is the member's worker", async () => {
  const asked: string[] = [];
  const nodes = createNodes(['a', 'b', 'c'], (name) => asked.push(name));
  for (const workers of [[], ['d']]) {
    asked.length = 0;
    const acquireFor = routeReads(nodes, createNode(assert.fail), async () => workers, assert.fail);
    for (let count = 0; count < 6; count += 1) await acquireFor('member_1')(async () => {});
    assert.deepEqual(asked.toSorted(), ['a', 'a', 'b', 'b', 'c', 'c']);
  }
});

test('throws an error of the statement when another node would fail likewise', async () => {
  const failure = Object.assign(new Error('division by zero'), { code: '22012', severity: 'ERROR' });
  const acquireFor = routeReads(
    createNodes(['a'], () => {}),
    createNode(assert.fail),
    async () => ['a'],
    assert.fail,
  );
  await assert.rejects(
    acquireFor('member_1')(() => Promise.reject(failure)),
    failure,
  );
});

test('asks the coordinator when no node responds', async () => {
  const asked: string[] = [];
  const nodes = createNodes(['a', 'b'], (name) => {
    asked.push(name);
    throw new AppError('UNAVAILABLE', {});
  });
  const acquireFor = routeReads(
    nodes,
    createNode(() => asked.push('coordinator')),
    async () => [],
    () => {},
  );
  for (let count = 0; count < 2; count += 1) await acquireFor('member_1')(async () => {});
  assert.deepEqual(asked, ['b', 'a', 'coordinator', 'coordinator']);
});

test.each([
  [true, 'select w.symbol from public.watchlist_items w left join public.listings t using (symbol)'],
  [true, 'with h as (select * from public.held_positions) select h.* from h where h.idp_id = public.member_id()'],
  [false, 'select * from public.move_watchlist_item($1, $2)'],
  [false, 'select a.id from public.accounts a join public.referrals r using (idp_id)'],
  [false, 'select m.symbol from public.watchlist_items m join market.quote_checks q using (symbol)'],
  [false, 'with d as (delete from public.accounts returning id) select * from d'],
  [false, 'update public.accounts set name = $1'],
  [false, 'select pg_sleep(1)'],
])('returns %s when asked whether workers can run: %s', (expected, text) => {
  assert.equal(isReadOnWorkers(text), expected);
});

test('skips a node that accepts no connection', async (t) => {
  const db = await createTestDatabase();
  const reserved = await reservePort('127.0.0.1');
  await reserved.release();
  const failures: string[] = [];
  const database = connectDatabase(
    {
      ...db.urls,
      readNodes: [
        { name: 'dead', url: `postgres://authenticator@127.0.0.1:${reserved.port}/tally` },
        { name: 'live', url: db.urls.authenticator },
      ],
    },
    { distributed: true, onReadNodeFailure: (name) => failures.push(name) },
  );
  t.onTestFinished(async () => {
    await database.close();
    await db.drop();
  });
  const sql = database.asMember({ sub: 'member_1' });
  for (let count = 0; count < 9; count += 1)
    assert.deepEqual(await sql.query('select public.member_id() as id, current_user as role'), [
      { id: 'member_1', role: 'authenticated' },
    ]);
  assert.deepEqual(failures, ['dead']);
  assert.ok(
    database.pools().some(({ name, idle }) => name === 'live' && idle > 0),
    'the live node has connections',
  );
});

const createNodes = (names: readonly string[], onAsked: (name: string) => void): ReadNode[] =>
  names.map((name) => ({ name, withClient: createNode(() => onAsked(name)) }));

const createNode =
  (onAsked: () => void): WithClient =>
  async (work) => {
    onAsked();
    return await work(undefined as never);
  };
