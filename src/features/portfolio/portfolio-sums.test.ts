import assert from 'node:assert/strict';
import { test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { createAccount, type InvestmentsApp, setUpInvestmentsApp } from '../../../test/support/investments-app.ts';
import { marketCalendar } from '../../market-data/domain/market-calendar.ts';
import { deleteAccount, insertAccount } from './accounts/queries.ts';
import type { AccountList } from './accounts/contract.ts';
import type { Explanation, NetWorthResponse } from './net-worth/contract.ts';
import type { HoldingTotals, PortfolioHoldings, Position, PositionList } from './holdings/contract.ts';
import { withFlows } from './net-worth/flow-queries.ts';
import { insertHolding, updateHolding } from './holdings/queries.ts';
import { recordDailySnapshots } from './net-worth/record-snapshots.ts';

// Sums by hand for a portfolio of three currencies on three days: a deposit, a withdrawal, a purchase, a split, a fund
// without day change, a bond, an option and the debt of a card.

let app: InvestmentsApp;
let time = new Date('2026-11-16T15:00:00Z');
const now = (): Date => time;

setUpInvestmentsApp(
  async (started) => {
    app = started;
    await app.owner(
      `insert into public.tracked_tickers_latest
         (symbol, asset_type, name, currency, current_price, prev_close, change_amount, change_1d, price_at, source)
       values ('SUMSTOCK', 'stock', 'Stock', 'USD', 200, 200, 0, 0, now(), 'fmp'),
              ('SUMFUND', 'mutual_fund', 'Fund', 'USD', 10.1, null, null, null, now(), 'fmp'),
              ('SUMBOND', 'bond', 'Bond', 'USD', 98.125, null, null, null, now(), 'fmp'),
              ('SUMGBP', 'stock', 'London', 'GBP', 7.1, 7.1, 0, 0, now(), 'fmp'),
              ('SUMNONE', 'stock', 'Unpriced', 'USD', null, null, null, null, null, 'fmp')`,
    );
    // Dollars: 1.20, 1.26, 1.20 for a euro, and 1.50, 1.50, 1.60 for a pound.
    await app.owner(`insert into market.exchange_rates (currency, d, rate, source) values
      ('USD', '2026-11-16', 1.20, 'ecb'), ('GBP', '2026-11-16', 0.80, 'ecb'),
      ('USD', '2026-11-17', 1.26, 'ecb'), ('GBP', '2026-11-17', 0.84, 'ecb'),
      ('USD', '2026-11-18', 1.20, 'ecb'), ('GBP', '2026-11-18', 0.75, 'ecb')`);
  },
  { now },
);

const call = async (method: string, path: string, body?: object, member = 'user_a') => {
  const response = await app.call(method, path, member, body);
  assert.ok(response.status < 300, `${method} ${path}: ${JSON.stringify(response.body)}`);
  return response.body;
};
const hold = async (account_id: string, symbol: string, quantity: number, cost_basis: number | null, member?: string) =>
  (await call('POST', '/api/investments/holdings', { account_id, symbol, quantity, cost_basis }, member)).holding
    .id as string;
const setPrice = (symbol: string, price: number, previousClose: number | null = null) =>
  app.owner(
    `update public.tracked_tickers_latest
        set current_price = $2, prev_close = $3::float8, change_amount = round(($2 - $3)::numeric, 4),
            change_1d = round((100 * ($2 - $3) / $3)::numeric, 4)
      where symbol = $1`,
    [symbol, price, previousClose],
  );
const endDay = (date: string) => {
  time = new Date(`${date}T22:30:00Z`);
  return recordDailySnapshots({ sql: app.database.service, calendar: marketCalendar, now });
};
const readBase = async (member?: string) =>
  ((await call('GET', '/api/net-worth', undefined, member)) as NetWorthResponse).base;

/** Adds amounts of at most four decimals in integers. */
const addUp = (explanation: Explanation | undefined): number =>
  (explanation?.terms ?? []).reduce((sum, { amount }) => sum + Math.round(amount * 1e4), 0) / 1e4;
const listTerms = (explanation: Explanation | undefined) =>
  explanation?.terms.map(({ label, amount, rate }) => [label, amount, rate]);

test('equals the sums by hand of net worth, its changes and all positions', async () => {
  const dollars = await createAccount(app, 'user_a', { name: 'Dollars', balance: 1000 });
  const pounds = await createAccount(app, 'user_a', { name: 'Pounds', currency: 'GBP', balance: 500 });
  const euros = await createAccount(app, 'user_a', { name: 'Euros', currency: 'EUR', balance: 300.1 });
  const stock = await hold(dollars, 'SUMSTOCK', 10, 1500);
  await hold(dollars, 'SUMFUND', 20.5, 200);
  await hold(dollars, 'SUMBOND', 10_000, 9900);
  const london = await hold(pounds, 'SUMGBP', 100, null);
  await endDay('2026-11-16');

  time = new Date('2026-11-17T15:00:00Z');
  await call('PATCH', `/api/accounts/${dollars}`, { balance: 1250 });
  await setPrice('SUMSTOCK', 210, 200);
  await setPrice('SUMFUND', 10.2);
  await setPrice('SUMBOND', 98.25);
  await setPrice('SUMGBP', 7, 7.1);
  await endDay('2026-11-17');

  time = new Date('2026-11-18T15:00:00Z');
  await setPrice('SUMSTOCK', 106, 105);
  await setPrice('SUMBOND', 98);
  await setPrice('SUMGBP', 7.2, 7);
  await call('PATCH', `/api/investments/holdings/${stock}`, { quantity: 20, split: true });
  await call('PATCH', `/api/investments/holdings/${london}`, { quantity: 102 });
  await call('PATCH', `/api/accounts/${euros}`, { balance: 200.1 });

  const { cash, investments, total, history, changes } = await readBase();
  assert.deepEqual(history, [
    {
      date: '2026-11-16',
      // 1000 + 500 x 1.50 + 300.10 x 1.20
      cash: 2110.12,
      // 10 x 200 + 20.5 x 10.10 + 10000 x 98.125 % + 100 x 7.10 x 1.50
      investments: 13_084.55,
      total: 15_194.67,
    },
    {
      date: '2026-11-17',
      // 1250 + 500 x 1.50 + 300.10 x 1.26
      cash: 2378.126,
      // 10 x 210 + 20.5 x 10.20 + 10000 x 98.25 % + 100 x 7 x 1.50
      investments: 13_184.1,
      total: 15_562.226,
      flows: 250,
    },
  ]);
  // 1250 + 500 x 1.60 + 200.10 x 1.20
  assert.equal(cash, 2290.12);
  // 20 x 106 + 20.5 x 10.20 + 10000 x 98 % + 102 x 7.20 x 1.60
  assert.equal(investments, 13_304.14);
  assert.equal(total, 15_594.26);

  const today = {
    // 15594.26 - 15562.226
    amount: 32.034,
    // Dollars 12129.10 - 12134.10, pounds (734.40 - 700 - 14.40) x 1.60
    market: 27,
    // 2 x 7.20 x 1.60 - 100 x 1.20. The split added nothing.
    flows: -96.96,
    // Pounds 1200 x (1.60 - 1.50), euros 300.10 x (1.20 - 1.26)
    exchange_rates: 101.994,
    gain: 128.994,
    // 128.994 / 15562.226
    percent: 0.8288917023,
  };
  const sinceFirstDay = {
    // 15594.26 - 15194.67
    amount: 399.59,
    // The day before: dollars 12134.10 - 12019.55, pounds (1200 - 1210) x 1.50
    market: 126.55,
    flows: 153.04,
    // The day before: euros 300.10 x (1.26 - 1.20)
    exchange_rates: 120,
    gain: 246.55,
    // (1 + 117.556 / (15194.67 + 250)) x (1 + 128.994 / 15562.226) - 1
    percent: 1.596343593,
  };
  assert.deepEqual(changes, [
    { period: '1d', from: '2026-11-17', ...today },
    ...(['1w', '1m', '3m', 'ytd', '1y', 'all'] as const).map((period) => {
      return { period, from: '2026-11-16', ...sinceFirstDay };
    }),
  ]);

  const { base } = (await call('GET', '/api/net-worth?explain=1')) as NetWorthResponse;
  for (const change of base.changes) {
    assert.equal(addUp(change.explain_market), change.market);
    assert.equal(addUp(change.explain_flows), change.flows);
    assert.equal(addUp(change.explain_exchange_rates), change.exchange_rates);
  }
  const [explained] = base.changes;
  assert.deepEqual(listTerms(explained?.explain_market), [
    // 20 x (106 - 105) + 102 x (7.20 - 7) x 1.60
    ['Day change of holdings', 52.64, null],
    // Bond -25, and the day change of the two bought shares, 2 x 0.20 x 1.60
    ['Other price changes: funds, bonds and trades', -25.64, null],
  ]);
  assert.deepEqual(listTerms(base.changes[1]?.explain_market), [
    // -15 of the day before, and 32
    ['Market prices in GBP', 17, null],
    // 114.55 of the day before, and -5
    ['Market prices in USD', 109.55, null],
  ]);
  assert.deepEqual(listTerms(explained?.explain_exchange_rates), [
    ['Exchange rate of EUR', -18.006, 1.2],
    ['Exchange rate of GBP', 120, 1.6],
  ]);
  assert.deepEqual(listTerms(base.changes[1]?.explain_flows), [
    ['Added on Nov 17, 2026', 250, null],
    ['Withdrawn on Nov 18, 2026', -120, 1.2],
    ['Added on Nov 18, 2026', 23.04, 1.6],
  ]);

  const { positions, totals } = (await call('GET', '/api/investments/positions')) as {
    positions: Position[];
    totals: HoldingTotals[];
  };
  assert.deepEqual(
    positions.map(({ symbol, quantity, value, change_1d, change_amount, gain, weight }) => {
      return { symbol, quantity, value, change_1d, change_amount, gain, weight };
    }),
    [
      {
        symbol: 'SUMBOND',
        quantity: 10_000,
        value: 9800,
        change_1d: null,
        change_amount: null,
        gain: { amount: -100, percent: -1.010101010101 },
        weight: 73.661281375572,
      },
      {
        symbol: 'SUMFUND',
        quantity: 20.5,
        value: 209.1,
        change_1d: null,
        change_amount: null,
        gain: { amount: 9.1, percent: 4.55 },
        weight: 1.571691217922,
      },
      {
        symbol: 'SUMGBP',
        quantity: 102,
        value: 734.4,
        change_1d: 2.8571,
        // 102 x (7.20 - 7.00)
        change_amount: 20.4,
        gain: null,
        // 734.40 x 1.60, of 13304.14
        weight: 8.832137966077,
      },
      {
        symbol: 'SUMSTOCK',
        quantity: 20,
        value: 2120,
        change_1d: 0.9524,
        // 20 x (106 - 105)
        change_amount: 20,
        // 2120 - 1500: the cost is as before the split.
        gain: { amount: 620, percent: 41.333333333333 },
        weight: 15.93488944043,
      },
    ],
  );
  const dollarTotals = {
    currency: 'USD',
    value: 12_129.1,
    change_amount: 20,
    // 20 / (20 x 105)
    change_percent: 0.952380952381,
    // 620 + 9.10 - 100, of 1500 + 200 + 9900
    gain: { amount: 529.1, percent: 4.561206896552 },
    without_price: 0,
    without_change: 2,
    without_cost: 0,
  };
  const poundTotals = {
    currency: 'GBP',
    value: 734.4,
    change_amount: 20.4,
    // 20.40 / (102 x 7.00)
    change_percent: 2.857142857143,
    gain: null,
    without_price: 0,
    without_change: 0,
    without_cost: 1,
  };
  assert.deepEqual(totals, [dollarTotals, poundTotals]);
  const { accounts } = await call('GET', '/api/accounts');
  assert.deepEqual(
    accounts.map(({ name, balance, totals: accountTotals }: Record<string, unknown>) => [name, balance, accountTotals]),
    [
      ['Dollars', 1250, [dollarTotals]],
      ['Pounds', 500, [poundTotals]],
      ['Euros', 200.1, []],
    ],
  );
});

test('adds up an option, a card debt and a foreign account to net worth in each base currency', async () => {
  const member = 'user_option';
  await app.owner(`insert into public.all_users (idp_id) values ($1)`, [member]);
  time = new Date('2026-11-18T15:00:00Z');
  await setPrice('SUMSTOCK', 106, 105);
  const [broker] = await app.owner<{ id: string }>(
    `insert into public.accounts (idp_id, name, kind, currency, balance, created_at)
     values ($1, 'Broker', 'brokerage', 'USD', 1500, now() - interval '2 minutes'),
            ($1, 'Card', 'bank', 'USD', -410.20, now() - interval '1 minute') returning id`,
    [member],
  );
  await app.owner(
    `insert into public.connected_holdings
       (idp_id, account_id, external_id, symbol, name, quantity, cost_basis, institution_value, currency, as_of)
     values ($1, $2, 'option', null, 'Stock call 2027', 2, null, 1160, 'USD', now()),
            ($1, $2, 'stock', 'SUMSTOCK', 'Stock', 3, 300, 315, 'USD', now())`,
    [member, broker!.id],
  );
  await createAccount(app, member, { name: 'Pounds', currency: 'GBP', balance: 100 });

  const { cash, liabilities, investments, total } = await readBase(member);
  // 1500 + 100 x 1.60, and 2 contracts + 3 x 106
  assert.deepEqual([cash, liabilities, investments, total], [1660, -410.2, 1478, 2727.8]);
  const readAccounts = async () => (await call('GET', '/api/accounts', undefined, member)) as AccountList;
  const { accounts } = await readAccounts();
  assert.deepEqual(
    accounts.map(({ name, base }) => [name, base]),
    [
      // 3 x (106 - 105), of 1500 + 1160 + 3 x 105
      ['Broker', { value: 2978, excluded: [], change_amount: 3, change_percent: 0.100840336134 }],
      ['Card', { value: -410.2, excluded: [], change_amount: null, change_percent: null }],
      ['Pounds', { value: 160, excluded: [], change_amount: null, change_percent: null }],
    ],
  );
  const totals = {
    currency: 'USD',
    value: 1478,
    // 3 x (106 - 105), of 3 x 105
    change_amount: 3,
    change_percent: 0.952380952381,
    gain: { amount: 18, percent: 6 },
    without_price: 0,
    without_change: 1,
    without_cost: 1,
  };
  assert.deepEqual(accounts[0]!.totals, [totals]);
  const positions = (await call('GET', '/api/investments/positions', undefined, member)) as PositionList;
  assert.deepEqual(positions.totals, [totals]);
  // 318 of 1478
  assert.deepEqual(
    positions.positions.map(({ symbol, weight }) => [symbol, weight]),
    [['SUMSTOCK', 21.515561569689]],
  );
  assert.deepEqual(
    positions.unlisted?.map(({ name, value }) => [name, value]),
    [['Stock call 2027', 1160]],
  );
  const portfolio = (await call('GET', '/api/portfolio/holdings', undefined, member)) as PortfolioHoldings;
  assert.deepEqual(
    portfolio.holdings.map(({ name, base }) => [name, base?.value]),
    [
      ['Stock', 318],
      ['Stock call 2027', 1160],
    ],
  );

  await call('PATCH', '/api/portfolio/settings', { base_currency: 'EUR' }, member);
  const inEuros = await readBase(member);
  // 1500 / 1.20 + 100 / 0.75, -410.20 / 1.20, 1478 / 1.20
  assert.deepEqual(
    [inEuros.cash, inEuros.liabilities, inEuros.investments, inEuros.total],
    [1383.3333, -341.8333, 1231.6667, 2273.1667],
  );
  const values = (await readAccounts()).accounts.map(({ base }) => base!.value!);
  assert.deepEqual(values, [2481.66666667, -341.83333333, 133.33333333]);
  assert.equal(values.reduce((sum, value) => sum + value, 0).toFixed(4), '2273.1667');
});

test('has the same day for net worth and holdings when the market is closed', async () => {
  const member = 'user_holiday';
  await app.owner(`insert into public.all_users (idp_id) values ($1)`, [member]);
  time = new Date('2026-11-24T15:00:00Z');
  await setPrice('SUMSTOCK', 100, 99);
  const account = await createAccount(app, member, { balance: 50 });
  await hold(account, 'SUMSTOCK', 10, 900, member);
  await endDay('2026-11-24');
  await setPrice('SUMSTOCK', 106, 100);
  await endDay('2026-11-25');
  const readDay = async (instant: string) => {
    time = new Date(instant);
    const netWorth = (await call('GET', '/api/net-worth', undefined, member)) as NetWorthResponse;
    const { from, market } = netWorth.base.changes.find(({ period }) => period === '1d')!;
    const { totals, session_day: day } = (await call(
      'GET',
      '/api/investments/positions',
      undefined,
      member,
    )) as PositionList;
    assert.equal(netWorth.session_day, day);
    return { day, from, market, holdings: totals[0]!.change_amount };
  };
  // 10 x (106 - 100)
  const wednesday = { day: '2026-11-25', from: '2026-11-24', market: 60, holdings: 60 };
  assert.deepEqual(await readDay('2026-11-25T21:30:00Z'), wednesday);
  assert.deepEqual(await readDay('2026-11-26T17:00:00Z'), wednesday, 'Thanksgiving');
  await endDay('2026-11-26');
  assert.deepEqual(await readDay('2026-11-27T13:00:00Z'), wednesday, 'before the next session');
  await setPrice('SUMSTOCK', 107, 106);
  assert.deepEqual(await readDay('2026-11-27T15:00:00Z'), {
    day: '2026-11-27',
    from: '2026-11-26',
    market: 10,
    holdings: 10,
  });
});

test('counts each change of accounts and holdings as a flow, never as a gain', async () => {
  const member = 'user_b';
  time = new Date('2026-11-16T15:00:00Z');
  await setPrice('SUMSTOCK', 100, 100);
  const account = await createAccount(app, member, { balance: 100 });
  await endDay('2026-11-16');
  time = new Date('2026-11-17T15:00:00Z');
  const readToday = async () => {
    const { gain, flows, percent } = (await readBase(member)).changes.find(({ period }) => period === '1d')!;
    return { gain, flows, percent };
  };
  const assertFlows = async (flows: number, message: string) =>
    assert.deepEqual(await readToday(), { gain: 0, flows, percent: 0 }, message);

  const savings = await createAccount(app, member, { name: 'Savings', balance: 9521.4 });
  await assertFlows(9521.4, 'a new account');
  await call('PATCH', `/api/accounts/${savings}`, { balance: 9000 }, member);
  await assertFlows(9000, 'a withdrawal');
  const stock = await hold(account, 'SUMSTOCK', 3, null, member);
  await assertFlows(9300, 'a new holding');
  await call('PATCH', `/api/investments/holdings/${stock}`, { quantity: 5, cost_basis: 4 }, member);
  await assertFlows(9500, 'another quantity');
  await call('DELETE', `/api/investments/holdings/${stock}`, undefined, member);
  await assertFlows(9000, 'a removed holding');
  const unpriced = await hold(account, 'SUMNONE', 2, null, member);
  await assertFlows(9000, 'a holding without a price');
  await setPrice('SUMNONE', 40, 39);
  await assertFlows(9080, 'its first price');
  await endDay('2026-11-17');

  time = new Date('2026-11-18T15:00:00Z');
  await setPrice('SUMNONE', 41, 40);
  assert.deepEqual(await readToday(), { gain: 2, flows: 0, percent: 0.0217864924 }, 'then its price is a gain');
  await call('DELETE', `/api/investments/holdings/${unpriced}`, undefined, member);
  await call('DELETE', `/api/accounts/${savings}`, undefined, member);
  assert.deepEqual(await readToday(), { gain: 2, flows: -9082, percent: 0.0217864924 });
  const { history } = await readBase(member);
  assert.deepEqual(
    history.map(({ date, total, flows }) => [date, total, flows]),
    [
      ['2026-11-16', 100, undefined],
      ['2026-11-17', 9180, 9080],
    ],
  );
});

test('keeps flows on the day of a snapshot that is taken again', async () => {
  const member = 'user_demo';
  time = new Date('2026-11-16T15:00:00Z');
  const account = await createAccount(app, member, { balance: 100 });
  await endDay('2026-11-16');
  await endDay('2026-11-17');
  await call('PATCH', `/api/accounts/${account}`, { balance: 150 }, member);
  await endDay('2026-11-17');
  time = new Date('2026-11-18T15:00:00Z');
  const { history, changes } = await readBase(member);
  assert.deepEqual(
    history.map(({ total, flows }) => [total, flows]),
    [
      [100, undefined],
      [150, 50],
    ],
  );
  assert.deepEqual(
    changes.map(({ gain }) => gain),
    changes.map(() => 0),
  );
});

test('records no flow of concurrent changes twice', async () => {
  const member = 'user_sample';
  await app.owner(`insert into public.accounts (idp_id, name) values ($1, 'One')`, [member]);
  const sql = app.database.asMember({ sub: member });
  await Promise.all(
    Array.from({ length: 6 }, () =>
      withFlows(sql, member, (transaction) =>
        transaction.query(`update public.accounts set balance = balance + 10 where idp_id = $1`, [member]),
      ),
    ),
  );
  const rows = await app.owner(`select amount::float8 as amount from public.net_worth_flows where idp_id = $1`, [
    member,
  ]);
  assert.deepEqual(
    rows,
    Array.from({ length: 6 }, () => ({ amount: 10 })),
  );
});

/** Creates a member with two equal accounts of 100 USD and 2 SUMGBP each, at 7.10 GBP. The member has no flows yet. */
async function createTwoAccounts(member: string) {
  await app.owner('insert into public.all_users (idp_id) values ($1)', [member]);
  await setPrice('SUMGBP', 7.1, 7.1);
  const sql = app.database.asMember({ sub: member });
  const accounts: { accountId: string; holdingId: string }[] = [];
  for (const name of ['One', 'Two']) {
    const { id } = (await insertAccount(sql, member, { name, currency: 'USD', balance: 100 }))!;
    const holding = { idpId: member, account_id: id, symbol: 'SUMGBP', quantity: 2, cost_basis: null };
    const inserted = await insertHolding(sql, holding);
    assert.ok(inserted.ok);
    accounts.push({ accountId: id, holdingId: inserted.row.id });
  }
  await app.owner('delete from public.net_worth_flows where idp_id = $1', [member]);
  const readFlows = () =>
    app.owner(
      'select currency, amount::float8 as amount from public.net_worth_flows where idp_id = $1 order by currency',
      [member],
    );
  return { sql, first: accounts[0]!, readFlows };
}

test('withdraws cash and holdings of the account alone when an account is deleted', async () => {
  const member = 'user_deletes';
  const { sql, first, readFlows } = await createTwoAccounts(member);
  assert.equal(await deleteAccount(sql, member, first.accountId), true);
  assert.deepEqual(await readFlows(), [
    { currency: 'GBP', amount: -14.2 },
    { currency: 'USD', amount: -100 },
  ]);
});

test('records no flow for a split when another change runs at the same time', async () => {
  const member = 'user_splits';
  const { sql, first, readFlows } = await createTwoAccounts(member);
  let split: Promise<unknown> | undefined;
  let isDone = false;
  await withFlows(app.database.service, member, async (transaction) => {
    const [{ pid } = { pid: 0 }] = await transaction.query<{ pid: number }>('select pg_backend_pid() as pid');
    split = updateHolding(sql, member, first.holdingId, { quantity: 4, split: true }).finally(() => {
      isDone = true;
    });
    const listWaiting = () => app.owner('select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))', [pid]);
    await eventually(async () => isDone || (await listWaiting()).length > 0);
    await transaction.query('update public.accounts set balance = 50 where idp_id = $1 and id = $2', [
      member,
      first.accountId,
    ]);
  });
  await split;
  assert.deepEqual(await readFlows(), [{ currency: 'USD', amount: -50 }]);
});
