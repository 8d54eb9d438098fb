import assert from 'node:assert/strict';
import { test } from 'vitest';
import { isDistributedRun } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { type InvestmentsApp, createAccount, setUpInvestmentsApp } from '../../../../test/support/investments-app.ts';
import { HOLDING_LIMIT, type PositionPart } from './contract.ts';

let app: InvestmentsApp;
let account: string;
let accountOfUserB: string;
setUpInvestmentsApp(async (started) => {
  app = started;
  account = await createAccount(app, 'user_a');
  accountOfUserB = await createAccount(app, 'user_b');
});

const add = (body: object | string, member = 'user_a') => app.call('POST', '/api/investments/holdings', member, body);
/** Sends an unreadable body to a removal, which takes none. The request is rejected, and nothing is removed. */
async function assertRejectsBody(path: string): Promise<void> {
  const responses = [
    await app.call('DELETE', path, 'user_a', '{'),
    await app.call('DELETE', path, 'user_a', 'x', { 'content-type': 'text/plain' }),
  ];
  assert.deepEqual(
    responses.map(({ status }) => status),
    [400, 415],
  );
}

const remove = ({ id }: { id: string }, member = 'user_a') =>
  app.call('DELETE', `/api/investments/holdings/${id}`, member);

const BOND = '91282CJZ5';

test("adds a priced holding and requests the company's reports", async () => {
  assert.deepEqual((await app.call('GET', '/api/investments/holdings', 'user_a')).body, {
    holdings: [],
    limit: HOLDING_LIMIT,
    sample_data: false,
  });
  // A fund has no reports, so no job is added.
  const { holding: fund } = (await add({ account_id: account, symbol: 'VOO', quantity: 1 })).body;
  const { status, body } = await add({ account_id: account, symbol: ' aapl ', quantity: 2.5, cost_basis: 300.25 });
  assert.equal(status, 201);
  const [listed] = await app.owner<{ price: number }>(
    `select current_price as price from public.tracked_tickers_latest where symbol = 'AAPL'`,
  );
  const { holding } = body;
  const { price, price_unit: unit, currency } = holding;
  assert.deepEqual(
    [holding.symbol, holding.quantity, holding.cost_basis, price, unit, currency, holding.account_name],
    ['AAPL', 2.5, 300.25, listed!.price, 'currency', 'USD', 'Brokerage'],
  );
  assert.ok(Math.abs(holding.value - 2.5 * price) < 0.0001);
  assert.equal(body.sample_data, true);
  const jobs = (): Promise<{ payload: unknown }[]> =>
    app.owner(
      `select j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       where t.identifier = 'refresh-held-earnings'`,
    );
  // The response does not wait for the job.
  await eventually(async () => (await jobs()).length > 0);
  assert.deepEqual(await jobs(), [{ payload: { symbols: ['AAPL'] } }]);
  const all = (await app.call('GET', '/api/investments/holdings', 'user_a')).body;
  assert.deepEqual(all, { holdings: [holding, fund], limit: HOLDING_LIMIT, sample_data: true });
  await assertRejectsBody(`/api/investments/holdings/${holding.id}`);
  assert.equal((await remove(holding)).status, 204);
  assert.equal((await remove(holding)).status, 404);
});

test('values a bond at its face value times a percentage of par', async () => {
  const { holding } = (await add({ account_id: account, symbol: BOND, quantity: 10_000 })).body;
  assert.deepEqual(
    [holding.price, holding.price_unit, holding.value, holding.cost_basis],
    [98.125, 'percent_of_par', 9812.5, null],
  );
  await remove(holding);
});

test('finds a share class in any spelling and names an unknown one as typed', async () => {
  for (const symbol of ['BRK.B', 'BRK-B', 'brk/b', '$brk-b ']) {
    const { status, body } = await add({ account_id: account, symbol, quantity: 1 });
    assert.deepEqual([status, body.holding?.symbol], [201, 'BRK.B'], symbol);
    await remove(body.holding);
  }
  const { status, body } = await add({ account_id: account, symbol: 'QQX-Y', quantity: 1 });
  assert.deepEqual(
    [status, body.code, body.message],
    [404, 'UNKNOWN_SYMBOL', 'No stock, ETF, mutual fund or bond has the symbol QQX-Y.'],
  );
  assert.deepEqual(
    await app.owner(
      `select symbol from public.tracked_tickers_latest where symbol in ('BRK-B', 'BRK/B', 'QQX-Y', 'QQX.Y')`,
    ),
    [],
  );
  // A symbol with a dash is not interpreted as a share class.
  await app.owner(
    `insert into public.tracked_tickers_latest (symbol, asset_type, name, currency)
     values ('BF-B', 'stock', 'Another company', 'USD')`,
  );
  const addedHolding = await add({ account_id: account, symbol: 'bf-b', quantity: 1 });
  assert.deepEqual([addedHolding.status, addedHolding.body.holding.symbol], [201, 'BF-B']);
  await remove(addedHolding.body.holding);
  await app.owner(`delete from public.tracked_tickers_latest where symbol = 'BF-B'`);
});

test('rejects unknown symbols, coins or invalid text by name', async () => {
  const rejectionCases: [string, number, string][] = [
    ['NOSUCHSYMBOL', 404, 'UNKNOWN_SYMBOL'],
    ['BTC-USD', 422, 'UNSUPPORTED_ASSET'],
    ["A'; drop table accounts", 404, 'UNKNOWN_SYMBOL'],
    ['a\u0000b', 400, 'INVALID_REQUEST'],
    ['', 400, 'INVALID_REQUEST'],
    ['A'.repeat(33), 400, 'INVALID_REQUEST'],
  ];
  for (const [symbol, status, code] of rejectionCases) {
    const rejection = await add({ account_id: account, symbol, quantity: 1 });
    assert.deepEqual([rejection.status, rejection.body.code], [status, code], symbol);
  }
});

test('rejects amounts that are negative, invalid, too large or too small', async () => {
  const invalidNumbers =
    '0 -1 -0 1e-11 1000000000001 1e308 1e999 -1e999 123456789012345678901234567890 "1" null true [1] {}'.split(' ');
  for (const quantity of invalidNumbers) {
    const rejection = await add(`{"account_id":"${account}","symbol":"AAPL","quantity":${quantity}}`);
    assert.deepEqual([rejection.status, rejection.body.issues?.[0]?.path], [400, 'quantity'], quantity);
  }
  for (const cost of ['-0.01', '1e16', '123456789012345678901234567890', '"5"', '1e999']) {
    const rejection = await add(`{"account_id":"${account}","symbol":"AAPL","quantity":1,"cost_basis":${cost}}`);
    assert.deepEqual([rejection.status, rejection.body.issues?.[0]?.path], [400, 'cost_basis'], cost);
  }
  for (const quantity of ['NaN', 'Infinity'])
    assert.equal((await add(`{"account_id":"${account}","symbol":"AAPL","quantity":${quantity}}`)).status, 400);
  const storedQuantities: [string, number][] = [
    ['1e-10', 1e-10],
    ['1e12', 1e12],
    ['0.123456789012345678901234567890', 0.123456789],
    ['33.333333333333336', 33.3333333333],
    ['5e-1', 0.5],
  ];
  for (const [sent, stored] of storedQuantities) {
    const { status, body } = await add(
      `{"account_id":"${account}","symbol":"AAPL","quantity":${sent},"cost_basis":0.00001}`,
    );
    assert.deepEqual([status, body.holding.quantity, body.holding.cost_basis], [201, stored, 0], sent);
    await remove(body.holding);
  }
});

test("returns 404 for another member's account or holding without a provider call", async () => {
  for (const account_id of [accountOfUserB, '00000000-0000-4000-8000-000000000000']) {
    // The account is checked first, so an unknown symbol does not reveal the owner of an account.
    for (const symbol of ['AAPL', 'NOSUCHSYMBOL']) {
      const rejection = await add({ account_id, symbol, quantity: 1 });
      assert.deepEqual([rejection.status, rejection.body.code], [404, 'NOT_FOUND'], `${account_id} ${symbol}`);
    }
  }
  const { holding } = (await add({ account_id: accountOfUserB, symbol: 'MSFT', quantity: 1 }, 'user_b')).body;
  for (const [method, body] of [
    ['PATCH', { quantity: 5 }],
    ['DELETE', undefined],
  ] as const) {
    for (const id of [holding.id, 'none', '%27']) {
      const rejection = await app.call(method, `/api/investments/holdings/${id}`, 'user_a', body);
      assert.deepEqual([rejection.status, rejection.body.code], [404, 'NOT_FOUND'], `${method} ${id}`);
    }
  }
  assert.equal((await app.call('GET', '/api/investments/holdings', 'user_b')).body.holdings[0].quantity, 1);
});

test('limits look-ups a minute for unknown symbols only', { tags: ['slow'] }, async () => {
  const member = 'user_demo';
  const demoAccount = await createAccount(app, member);
  const statuses = await Promise.all(
    Array.from(
      { length: 61 },
      async (_, i) => (await add({ account_id: demoAccount, symbol: `QQZ${i}`, quantity: 1 }, member)).status,
    ),
  );
  assert.deepEqual(
    [statuses.filter((status) => status === 404).length, statuses.filter((status) => status === 429).length],
    [60, 1],
  );
  const rejection = await add({ account_id: demoAccount, symbol: 'QQZ61', quantity: 1 }, member);
  assert.deepEqual([rejection.status, rejection.body.code], [429, 'RATE_LIMITED']);
  assert.match(rejection.headers.get('retry-after')!, /^[1-9]\d?$/);
  const { status, body } = await add({ account_id: demoAccount, symbol: 'AAPL', quantity: 1 }, member);
  assert.equal(status, 201);
  await remove(body.holding, member);
  await app.call('DELETE', `/api/accounts/${demoAccount}`, member);
});

test('changes only the given fields, never symbol, account or owner', async () => {
  const { holding } = (await add({ account_id: account, symbol: 'NVDA', quantity: 4, cost_basis: 100 })).body;
  const path = `/api/investments/holdings/${holding.id}`;
  assert.deepEqual((await app.call('PATCH', path, 'user_a', { quantity: 8 })).body.holding.cost_basis, 100);
  const withoutCost = (await app.call('PATCH', path, 'user_a', { cost_basis: null })).body.holding;
  assert.deepEqual([withoutCost.quantity, withoutCost.cost_basis], [8, null]);
  for (const body of [
    {},
    { symbol: 'AAPL' },
    { account_id: accountOfUserB },
    { quantity: 8, idp_id: 'user_b' },
    { quantity: null },
  ]) {
    assert.equal((await app.call('PATCH', path, 'user_a', body)).status, 400, JSON.stringify(body));
  }
});

test('groups a symbol across accounts and passes equal parts to other features', async () => {
  const member = 'user_demo';
  const first = await createAccount(app, member, { name: 'One' });
  const second = await createAccount(app, member, { name: 'Two' });
  await add({ account_id: first, symbol: 'COST', quantity: 0.1, cost_basis: 50 }, member);
  await add({ account_id: first, symbol: 'COST', quantity: 0.2, cost_basis: 60 }, member);
  await add({ account_id: second, symbol: 'COST', quantity: 0.75 }, member);
  // The cost of one part is not the cost of both.
  await add({ account_id: second, symbol: 'COST', quantity: 0.25, cost_basis: 5 }, member);
  const { positions } = (await app.call('GET', '/api/investments/positions', member)).body;
  const position = positions.find(({ symbol }: { symbol: string }) => symbol === 'COST');
  assert.deepEqual([position.quantity, position.cost_basis], [1.3, null]);
  assert.deepEqual(
    position.accounts.map((positionPart: PositionPart) => [
      positionPart.account_name,
      positionPart.quantity,
      positionPart.cost_basis,
    ]),
    [
      ['One', 0.3, 110],
      ['Two', 1, null],
    ],
  );
  assert.deepEqual(await app.investments.listPositions({ idpId: member, sessionId: 's' }, 'COST'), position.accounts);
  assert.deepEqual(await app.investments.listPositions({ idpId: 'user_b', sessionId: 's' }, 'COST'), []);
  assert.deepEqual(await app.investments.listHeldSymbols({ idpId: member, sessionId: 's' }), ['COST']);
});

test('enforces the holding limit for concurrent requests', async () => {
  await app.owner(
    `insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity)
     select 'user_b', $1, 'AAPL', 1
       from generate_series(1, $2 - (select count(*) from public.manual_public_holdings where idp_id = 'user_b') - 3)`,
    [accountOfUserB, HOLDING_LIMIT],
  );
  const responses = await Promise.all(
    Array.from({ length: 12 }, () => add({ account_id: accountOfUserB, symbol: 'AAPL', quantity: 1 }, 'user_b')),
  );
  assert.equal(responses.filter(({ status }) => status === 201).length, 3);
  const rejection = responses.find(({ status }) => status !== 201)!;
  assert.deepEqual(
    [rejection.status, rejection.body.code, rejection.body.limit],
    [403, 'LIMIT_REACHED', HOLDING_LIMIT],
  );
});

test('returns 404 when the account of a new holding is being deleted', async (t) => {
  if (isDistributedRun()) return t.skip('it looks at the locks of one server');
  const deletedAccount = await createAccount(app, 'user_demo');
  const adding = await app.database.service.transaction(async (deleting) => {
    await deleting.query('delete from public.accounts where id = $1', [deletedAccount]);
    const started = add({ account_id: deletedAccount, symbol: 'AAPL', quantity: 1 }, 'user_demo');
    const waiting = `select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'transactionid'`;
    await eventually(async () => (await app.owner(waiting)).length > 0);
    return { started };
  });
  const { status, body } = await adding.started;
  assert.deepEqual([status, body.code], [404, 'NOT_FOUND']);
});

test('caches a response privately and returns 304 when it is unchanged', async () => {
  const first = await app.call('GET', '/api/investments/holdings', 'user_a');
  const paths = (
    'accounts investments/holdings investments/positions investments/search?q=apple investments/search?q= ' +
    'net-worth earnings news dashboard'
  ).split(' ');
  for (const path of paths) {
    const { status, headers } = await app.call('GET', `/api/${path}`, 'user_a');
    assert.deepEqual([status, headers.get('cache-control')], [200, 'private, no-cache'], path);
  }
  const conditionalHeaders = { 'if-none-match': first.headers.get('etag')! };
  const fetchStatus = async (member: string): Promise<number> =>
    (await app.call('GET', '/api/investments/holdings', member, undefined, conditionalHeaders)).status;
  assert.deepEqual([await fetchStatus('user_a'), await fetchStatus('user_b')], [304, 200]);
});
