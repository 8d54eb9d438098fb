import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { connectDatabase } from '../src/platform/database/connect.ts';
import type { MemberSql } from '../src/platform/database/roles.ts';
import { createTestDatabase, type TestDatabase } from './support/database.ts';

/** Attempts of member B with the ids of member A, over the connection that runs members' statements. */
let testDatabase: TestDatabase;
let a: MemberSql;
let b: MemberSql;
const ids = { account: '', holding: '', item: '', ofB: '' };
const DENIED = { code: '42501' };

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  a = testDatabase.database.asMember({ sub: 'user_a' });
  b = testDatabase.database.asMember({ sub: 'user_b' });
  await testDatabase.owner(
    `insert into public.all_users (idp_id, email) values ('user_a', 'a@example.com'), ('user_b', 'b@example.com')`,
  );
  await testDatabase.owner(
    `insert into public.tracked_tickers_latest (symbol, asset_type, currency, current_price) values ('AAPL', ` +
      `'stock', 'USD', 100), ('MSFT', 'stock', 'USD', 50)`,
  );
  const queryOne = async (sql: MemberSql, text: string, values: unknown[]) =>
    (await sql.query<{ id: string }>(text, values))[0]!.id;
  ids.account = await queryOne(
    a,
    `insert into public.accounts (idp_id, name, balance) values ('user_a', 'Mine', 10) returning id`,
    [],
  );
  ids.ofB = await queryOne(
    b,
    `insert into public.accounts (idp_id, name) values ('user_b', 'Theirs') returning id`,
    [],
  );
  ids.holding = await queryOne(
    a,
    `insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity) values ('user_a', $1, ` +
      `'AAPL', 1) returning id`,
    [ids.account],
  );
  await testDatabase.database.service.query(`select public.add_watchlist_item('user_a', 'AAPL')`);
  await testDatabase.database.service.query(`select public.add_watchlist_item('user_b', 'MSFT')`);
  ids.item = (await a.query<{ id: string }>('select id from public.watchlist_items'))[0]!.id;
});
afterAll(() => testDatabase.drop());

/** Returns the number of rows that a statement touched. */
const countTouchedRows = async (sql: MemberSql, text: string, values: unknown[] = []): Promise<number> =>
  (await sql.query(text, values)).length;

test("hides another member's rows from reads, changes and deletions by id", async () => {
  for (const [table, id] of [
    ['accounts', ids.account],
    ['manual_public_holdings', ids.holding],
    ['watchlist_items', ids.item],
  ] as const) {
    assert.equal(await countTouchedRows(b, `select id from public.${table} where id = $1`, [id]), 0, table);
    assert.equal(
      await countTouchedRows(b, `update public.${table} set updated_at = now() where id = $1 returning id`, [id]),
      0,
      table,
    );
    assert.equal(await countTouchedRows(b, `delete from public.${table} where id = $1 returning id`, [id]), 0, table);
    assert.equal(await countTouchedRows(a, `select id from public.${table} where id = $1`, [id]), 1, table);
  }
});

/** Citus rejects a changed owner or key of a distributed row before it checks rights. */
const OWNER_CHANGED = { code: /^(42501|0A000)$/ };
const getExpectedRejection = (change: string) => (/^id(p_id)? =/.test(change) ? OWNER_CHANGED : DENIED);

test('rejects a new owner, symbol or account of a row, even an own one', async () => {
  for (const [sql, id] of [
    [a, ids.item],
    [b, ids.item],
  ] as const) {
    await assert.rejects(sql.query(`update public.watchlist_items set symbol = 'MSFT' where id = $1`, [id]), DENIED);
    await assert.rejects(
      sql.query(`update public.watchlist_items set idp_id = 'user_b' where id = $1`, [id]),
      OWNER_CHANGED,
    );
  }
  for (const change of [`symbol = 'MSFT'`, `idp_id = 'user_b'`, `account_id = '${ids.ofB}'`]) {
    await assert.rejects(
      a.query(`update public.manual_public_holdings set ${change} where id = $1`, [ids.holding]),
      getExpectedRejection(change),
      change,
    );
  }
  for (const change of [`idp_id = 'user_b'`, `kind = 'bank'`, `id = gen_random_uuid()`]) {
    const update = a.query(`update public.accounts set ${change} where id = $1`, [ids.account]);
    await assert.rejects(update, getExpectedRejection(change), change);
  }
});

test("rejects rows in another member's name or in another member's account", async () => {
  await assert.rejects(b.query(`insert into public.accounts (idp_id, name) values ('user_a', 'Yours')`), DENIED);
  await assert.rejects(
    b.query(
      `insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity) values ('user_a', $1, ` +
        `'AAPL', 1)`,
      [ids.account],
    ),
    DENIED,
  );
  // B inserts as B but into A's account. Row-level security allows that, the foreign key does not.
  await assert.rejects(
    b.query(
      `insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity) values ('user_b', $1, ` +
        `'AAPL', 1)`,
      [ids.account],
    ),
    { code: '23503' },
  );
  // Only the aggregator's answers add holdings to a connected account.
  const connected = `insert into public.accounts (idp_id, name, kind) values ('user_b', 'Bank', 'bank') returning id`;
  const [account] = await testDatabase.owner<{ id: string }>(connected);
  const insert = `insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity) values ('user_b', $1, 'AAPL', 1)`;
  await assert.rejects(b.query(insert, [account!.id]), { code: '23503' });
  await assert.rejects(b.query(`insert into public.dashboard_layouts (idp_id, cards) values ('user_a', '[]')`), DENIED);
  await assert.rejects(
    b.query(
      `insert into public.net_worth_snapshots (idp_id, d, currency, cash, investments) values ('user_b', ` +
        `current_date, 'USD', 1e9, 0)`,
    ),
    DENIED,
  );
  await assert.rejects(b.query(`update public.subscriptions set tier = 'max'`), DENIED);
  await assert.rejects(b.query(`insert into public.tier_grants (idp_id, tier) values ('user_b', 'max')`), DENIED);
  await assert.rejects(
    b.query(`insert into public.subscriptions (idp_id, tier, status) values ('user_b', 'max', 'active')`),
    DENIED,
  );
  await assert.rejects(b.query(`update public.plans set watchlist_limit = 100000`), DENIED);
  await assert.rejects(b.query(`update public.tracked_tickers_latest set current_price = 1`), DENIED);
});

test('rejects an insert into the watchlist and a direct call of the add functions', async () => {
  await assert.rejects(
    b.query(`insert into public.watchlist_items (idp_id, symbol, position) values ('user_b', 'AAPL', 2)`),
    DENIED,
  );
  await assert.rejects(b.query(`select public.add_watchlist_item('user_b', 'AAPL')`), DENIED);
  await assert.rejects(b.query(`select * from public.add_watchlist_items('user_b', array['AAPL'])`), DENIED);
  await assert.rejects(b.query(`select public.get_watchlist_limit('user_b')`), DENIED);
});

test('returns nothing about another member from functions that accept an id', async () => {
  await testDatabase.owner(
    `insert into public.subscriptions (idp_id, tier, status) values ('user_a', 'max', 'active')`,
  );
  assert.deepEqual(await a.query(`select public.get_tier('user_a') as tier`), [{ tier: 'max' }]);
  assert.deepEqual(await b.query(`select public.get_tier('user_a') as tier`), [{ tier: 'free' }]);
});

test("rejects a removal of another member's rows by its function", async () => {
  assert.deepEqual(await b.query('select symbol from public.remove_watchlist_item($1)', [ids.item]), []);
  assert.equal(await countTouchedRows(a, 'select id from public.watchlist_items where id = $1', [ids.item]), 1);
  await assert.rejects(
    testDatabase.database.service.query('select public.remove_watchlist_item($1)', [ids.item]),
    DENIED,
  );
});

test('shows no more of a member through views than through tables', async () => {
  assert.deepEqual(await a.query('select idp_id, symbol from public.held_positions'), [
    { idp_id: 'user_a', symbol: 'AAPL' },
  ]);
  assert.deepEqual(await b.query('select idp_id, symbol from public.held_positions'), []);
  for (const view of [
    'public.watched_symbols',
    'public.active_members',
    'market.symbols_in_use',
    'market.pending_prices',
  ])
    await assert.rejects(b.query(`select * from ${view}`), DENIED, view);
});

test("rejects a new order with another member's rows", async () => {
  await assert.rejects(b.query('select public.reorder_watchlist_items(array[$1::uuid])', [ids.item]), {
    message: /order_conflict/,
  });
  assert.deepEqual(await a.query('select position from public.watchlist_items'), [{ position: 1 }]);
});

test('cannot change role, use server schemas or create objects', async () => {
  for (const role of ['service_role', 'service_authenticator', 'postgres'])
    await assert.rejects(b.query(`set role ${role}`), role);
  for (const table of [
    'public.tracked_tickers_historical',
    'market.recent_closes',
    'market.exchange_rates',
    'market.provider_calls',
    'idp.users',
    'idp.signing_keys',
    'public.earnings',
    'tally.migrations',
  ]) {
    await assert.rejects(b.query(`select * from ${table}`), DENIED, table);
  }
  const objects = [
    'create table public.mine (id int)',
    'create temp table mine (id int)',
    'create schema mine',
    `create function pg_temp.mine() returns int language sql return 1`,
  ];
  for (const text of [...objects, `select lo_from_bytea(0, 'mine')`, 'select lo_create(0)', 'select lo_creat(-1)'])
    await assert.rejects(b.query(text), DENIED, text);
  await assert.rejects(b.query('truncate public.accounts'), DENIED);
  await assert.rejects(b.query('alter table public.accounts disable row level security'));
});

test('reads and writes nothing without a member', async () => {
  const anonymous = testDatabase.database.asMember({ sub: '' });
  for (const table of [
    'accounts',
    'manual_public_holdings',
    'watchlist_items',
    'net_worth_snapshots',
    'net_worth_flows',
    'subscriptions',
    'tier_grants',
    'all_users',
    'dashboard_layouts',
    'portfolio_settings',
  ]) {
    assert.deepEqual(await anonymous.query(`select * from public.${table}`), [], table);
  }
  await assert.rejects(anonymous.query(`insert into public.accounts (idp_id, name) values ('user_a', 'x')`), DENIED);
  await assert.rejects(anonymous.query(`insert into public.accounts (idp_id, name) values ('', 'x')`), {
    code: '23503',
  });
});

test("releases a member's locks with the transaction and locks only their own list", async () => {
  for (const call of [
    'pg_advisory_lock(1)',
    'pg_advisory_lock(1, 1)',
    'pg_advisory_lock_shared(1)',
    'pg_try_advisory_lock(1)',
    'pg_try_advisory_lock_shared(1, 1)',
    'pg_advisory_unlock_all()',
  ]) {
    await assert.rejects(b.query(`select ${call}`), DENIED, call);
  }
  await b.query(`select public.lock_watchlist('user_b')`);
  for (const [sql, id] of [
    [b, 'user_a'],
    [b, null],
    [testDatabase.database.asMember({ sub: '' }), 'user_a'],
  ] as const) {
    await assert.rejects(sql.query('select public.lock_watchlist($1)', [id]), DENIED, `${id}`);
  }
  await testDatabase.database.service.query(`select public.lock_watchlist('user_a')`);
});

test('replaces a claim that remained on a connection, under any of its names', async (t) => {
  const single = connectDatabase(testDatabase.urls, { memberConnections: 1, distributed: testDatabase.distributed });
  t.onTestFinished(() => single.close());
  const other = `'{"sub":"user_b","role":"authenticated"}'`;
  for (const [name, claim] of [
    ['request.jwt.claim', other],
    ['request.jwt.claims', other],
    ['request.jwt.claim.sub', `'user_b'`],
  ] as const) {
    // This needs no function. No route runs a member's statement.
    await single.asMember({ sub: 'user_a' }).query(`set ${name} = ${claim}`);
    assert.deepEqual(
      await single.asMember({ sub: 'user_a' }).query('select idp_id from public.accounts'),
      [{ idp_id: 'user_a' }],
      name,
    );
    assert.deepEqual(
      await single.asMember({ sub: 'user_c' }).transaction((sql) => sql.query('select idp_id from public.accounts')),
      [],
      name,
    );
  }
});

test("rejects changes of claims and settings by a SELECT in a member's name", async () => {
  const other = `'{"sub":"user_b"}'`;
  for (const name of [
    'request.jwt.claim',
    'request.jwt.claims',
    'request.jwt.claim.sub',
    'role',
    'statement_timeout',
  ]) {
    for (const local of [true, false])
      await assert.rejects(b.query(`select set_config('${name}', ${other}, ${local})`), DENIED, name);
  }
  const queryAsData = { code: '0A000' }; // The server's own functions run the text as data and allow only reads.
  for (const [refusal, text] of [
    [
      DENIED,
      `with swap as materialized (select set_config('request.jwt.claims', ${other}, true) as s)
       select w.symbol from swap cross join lateral (select * from public.watchlist_items offset 0) w
         where swap.s is not null`,
    ],
    [DENIED, `select query_to_xml($$select set_config('request.jwt.claims', ${other}, true)$$, true, false, '')`],
    [queryAsData, `select query_to_xml($$set local request.jwt.claims = ${other}$$, true, false, '')`],
    [queryAsData, `select query_to_xml($$set local request.jwt.claim.sub = 'user_b'$$, true, false, '')`],
    [DENIED, `select * from ts_stat($$select set_config('request.jwt.claims', ${other}, true)::tsvector$$)`],
    // This view has a rule that calls set_config().
    [DENIED, `update pg_settings set setting = '0' where name = 'statement_timeout'`],
  ] as const)
    await assert.rejects(a.query(text), refusal, text);
  assert.deepEqual(
    await a.query(
      `select (select auth.jwt()) ->> 'sub' as sub, public.member_id() as id, ` +
        `current_setting('statement_timeout') as timeout`,
    ),
    [{ sub: 'user_a', id: 'user_a', timeout: '8s' }],
  );
});

test("shows free SQL only the member's own rows, and only the symbol of a locked row", async () => {
  const [readSymbols] = await a.query<{ symbols: string[] }>(
    `select array_agg(symbol) as symbols from public.watchlist_items`,
  );
  assert.deepEqual(readSymbols, { symbols: ['AAPL'] });
  for (const text of [
    `select * from public.watchlist_items where idp_id <> 'user_a'`,
    `select * from public.watchlist_items where idp_id = 'user_b' or true except select * ` +
      `from public.watchlist_items where idp_id = 'user_a'`,
    `select w.* from public.watchlist_items w right join (values ('user_b')) v (idp_id) using (idp_id) ` +
      'where w.id is not null',
  ])
    assert.deepEqual(await a.query(text), [], text);
  await testDatabase.owner(`update public.plans set watchlist_limit = 1 where tier = 'free'`);
  await testDatabase.owner(
    `insert into public.watchlist_items (idp_id, symbol, position) values ('user_b', 'AAPL', 2)`,
  );
  const locked = await b.query<object>(`select * from public.watchlist_items where position = 2`);
  assert.deepEqual(locked.flatMap(Object.keys).sort(), [
    'created_at',
    'id',
    'idp_id',
    'position',
    'symbol',
    'updated_at',
  ]);
});
