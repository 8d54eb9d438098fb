import assert from 'node:assert/strict';
import { test } from 'vitest';
import {
  addHolding,
  type InvestmentsApp,
  createAccount,
  setUpInvestmentsApp,
} from '../../../../test/support/investments-app.ts';
import { ACCOUNT_LIMIT } from './contract.ts';

let app: InvestmentsApp;
setUpInvestmentsApp((started) => {
  app = started;
});

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

test('creates, lists, updates, deletes an account with its holdings', async () => {
  const created = await app.call('POST', '/api/accounts', 'user_a', {
    name: ' Savings ',
    currency: 'GBP',
    balance: 12.5,
  });
  assert.equal(created.status, 201);
  const { id, created_at, updated_at, ...rest } = created.body.account;
  assert.deepEqual(rest, { name: 'Savings', kind: 'manual', currency: 'GBP', balance: 12.5, holding_count: 0 });
  assert.equal(created_at, updated_at);
  await addHolding(app, 'user_a', id, 'AAPL');
  const renamed = await app.call('PATCH', `/api/accounts/${id}`, 'user_a', { name: 'Rainy days' });
  assert.deepEqual(
    [renamed.status, renamed.body.account.name, renamed.body.account.balance, renamed.body.account.holding_count],
    [200, 'Rainy days', 12.5, 1],
  );
  const changed = await app.call('PATCH', `/api/accounts/${id}`, 'user_a', { balance: -3.1234 });
  assert.deepEqual([changed.body.account.name, changed.body.account.balance], ['Rainy days', -3.1234]);
  const { accounts, limit } = (await app.call('GET', '/api/accounts', 'user_a')).body;
  const [{ totals, base, ...listed }] = accounts;
  assert.deepEqual([accounts.length, listed, limit], [1, changed.body.account, ACCOUNT_LIMIT]);
  assert.deepEqual(
    totals.map(({ currency }: { currency: string }) => currency),
    ['USD'],
  );
  // The base currency is the dollar, and a pound has no rate.
  assert.deepEqual(base.excluded, [{ currency: 'GBP', amount: -3.1234, reason: 'no_rate' }]);
  assert.equal(base.value, totals[0].value);
  assert.equal((await app.call('DELETE', `/api/accounts/${id}`, 'user_a')).status, 204);
  assert.deepEqual((await app.call('GET', '/api/investments/holdings', 'user_a')).body.holdings, []);
  assert.equal((await app.call('DELETE', `/api/accounts/${id}`, 'user_a')).status, 404);
});

test("returns 404 for another member's account or an invalid id", async () => {
  const id = await createAccount(app, 'user_a');
  for (const path of [id, UNKNOWN_ID, 'none', `${id}'`, '%00', '{}', '1']) {
    for (const [method, body] of [
      ['PATCH', { name: 'Mine now' }],
      ['DELETE', undefined],
    ] as const) {
      const rejection = await app.call(method, `/api/accounts/${path}`, 'user_b', body);
      assert.deepEqual([rejection.status, rejection.body.code], [404, 'NOT_FOUND'], `${method} ${path}`);
    }
  }
  assert.deepEqual((await app.call('GET', '/api/accounts', 'user_b')).body.accounts, []);
  assert.equal((await app.call('GET', '/api/accounts', 'user_a')).body.accounts[0].name, 'Brokerage');
});

test('rejects malformed, too long, too large or unknown fields by name', async () => {
  const id = await createAccount(app, 'user_a');
  const invalidBodies: [object | string, string][] = [
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: '   ' }, 'name'],
    [{ name: 'a'.repeat(121) }, 'name'],
    [{ name: 'a\u0000b' }, 'name'],
    [{ name: 'a\u001b[31m' }, 'name'],
    [{ name: 5 }, 'name'],
    [{ name: 'x', currency: 'usd' }, 'currency'],
    [{ name: 'x', currency: 'DOLLARS' }, 'currency'],
    [{ name: 'x', currency: 'XYZ' }, 'currency'],
    [{ name: 'x', currency: 'GBX' }, 'currency'],
    [{ name: 'x', balance: '1' }, 'balance'],
    ['{"name":"x","balance":1e16}', 'balance'],
    ['{"name":"x","balance":123456789012345678901234567890}', 'balance'],
    ['{"name":"x","balance":1e999}', 'balance'],
    [{ name: 'x', kind: 'bank' }, ''],
    [{ name: 'x', idp_id: 'user_b' }, ''],
  ];
  for (const [body, path] of invalidBodies) {
    const rejection = await app.call('POST', '/api/accounts', 'user_a', body);
    assert.deepEqual(
      [rejection.status, rejection.body.code, rejection.body.issues?.[0]?.path],
      [400, 'INVALID_REQUEST', path],
      JSON.stringify(body),
    );
  }
  for (const body of [{}, { name: null }, { balance: null }, { currency: 'EUR' }, { name: 'x', kind: 'manual' }]) {
    assert.equal((await app.call('PATCH', `/api/accounts/${id}`, 'user_a', body)).status, 400, JSON.stringify(body));
  }
  for (const body of ['{"name":"x","balance":NaN}', '{"name":', 'null', '[]', '"x"']) {
    assert.equal((await app.call('POST', '/api/accounts', 'user_a', body)).status, 400, body);
  }
  assert.equal((await app.call('POST', '/api/accounts', 'user_a', { name: 'a'.repeat(200_000) })).status, 413);
  assert.equal((await app.call('PUT', '/api/accounts', 'user_a', {})).status, 405);
  // PostgreSQL rejects an unpaired surrogate.
  assert.equal((await app.call('POST', '/api/accounts', 'user_a', '{"name":"a\\ud800"}')).status, 400);
});

test("keeps the institution's balance of a connected account and accepts a new name", async () => {
  const [{ id }] = (await app.owner<{ id: string }>(
    `insert into public.accounts (idp_id, name, kind) values ('user_a', 'First Bank', 'bank') returning id`,
  )) as [{ id: string }];
  for (const [method, body] of [
    ['PATCH', { balance: 1 }],
    ['DELETE', undefined],
  ] as const) {
    const rejection = await app.call(method, `/api/accounts/${id}`, 'user_a', body);
    assert.deepEqual([rejection.status, rejection.body.code], [409, 'CONFLICT'], method);
  }
  assert.equal(
    (await app.call('PATCH', `/api/accounts/${id}`, 'user_a', { name: 'Everyday' })).body.account.name,
    'Everyday',
  );
});

test('enforces the account limit for concurrent requests', async () => {
  const responses = await Promise.all(
    Array.from({ length: ACCOUNT_LIMIT + 10 }, (_, index) =>
      app.call('POST', '/api/accounts', 'user_b', { name: `${index}` }),
    ),
  );
  const rejection = responses.filter(({ status }) => status !== 201);
  assert.equal(rejection.length, 10);
  for (const { status, body } of rejection)
    assert.deepEqual([status, body.code, body.limit], [403, 'LIMIT_REACHED', ACCOUNT_LIMIT]);
  assert.equal((await app.call('GET', '/api/accounts', 'user_b')).body.accounts.length, ACCOUNT_LIMIT);
});

test('returns the day change of an account in percent of its value with cash and funds', async () => {
  await app.owner(`insert into market.exchange_rates (currency, d, rate, source)
    select currency, current_date - 1, rate, 'ecb' from (values ('USD', 1), ('GBP', 0.5)) r (currency, rate)`);
  await app.owner(`insert into public.tracked_tickers_latest
      (symbol, asset_type, name, currency, current_price, change_amount, prev_close, change_1d, price_at, source)
    values ('DAYSTOCK', 'stock', 'Stock', 'USD', 12, 2, 10, 20, now(), 'fmp'),
           ('DAYFUND', 'mutual_fund', 'Fund', 'USD', 20, null, null, null, now(), 'fmp')`);
  const readBase = async (id: string) => {
    const { accounts } = (await app.call('GET', '/api/accounts', 'user_a')).body;
    return accounts.find((account: { id: string }) => account.id === id).base;
  };
  const id = await createAccount(app, 'user_a', { currency: 'GBP', balance: 100 });
  const cash = { value: 200, excluded: [], change_amount: null, change_percent: null };
  assert.deepEqual(await readBase(id), cash);
  await addHolding(app, 'user_a', id, 'DAYFUND');
  assert.deepEqual(await readBase(id), { ...cash, value: 220 });
  await addHolding(app, 'user_a', id, 'DAYSTOCK', 10);
  const changed = { ...cash, value: 340, change_amount: 20, change_percent: 6.25 };
  assert.deepEqual(await readBase(id), changed);
  // A debt that is larger than the holdings has no percentage.
  await app.call('PATCH', `/api/accounts/${id}`, 'user_a', { balance: -100 });
  assert.deepEqual(await readBase(id), { ...changed, value: -60, change_percent: null });
});
