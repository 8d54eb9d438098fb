import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createAccount, type InvestmentsApp, setUpInvestmentsApp } from '../../../../test/support/investments-app.ts';
import { recordStatements } from '../../../../test/support/statement-log.ts';
import type { Account } from '../accounts/contract.ts';
import type { Explanation, NetWorthResponse } from '../net-worth/contract.ts';
import type { Holding, HoldingTotals, PortfolioHolding, PortfolioHoldings, Position } from './contract.ts';

/** A Sunday, so that the last rates are Friday's. */
const SUNDAY = new Date('2026-11-22T18:00:00Z');
const PRICE_AT = '2026-11-20T21:00:00.000Z';

let app: InvestmentsApp;
setUpInvestmentsApp(
  async (started) => {
    app = started;
    await app.owner('delete from market.exchange_rates');
    await app.owner(`insert into market.exchange_rates (currency, d, rate, source) values
      ('USD', '2026-11-20', 1.16, 'ecb'), ('GBP', '2026-11-20', 0.87, 'ecb'), ('JPY', '2026-11-20', 163.17, 'ecb')`);
    await app.owner(
      `insert into public.tracked_tickers_latest
         (symbol, asset_type, name, currency, current_price, change_amount, prev_close, change_1d, price_at, source)
       select symbol, kind, symbol, currency, price, change, price - change, 100 * change / (price - change),
              case when price is not null then $1::timestamptz end, 'fmp'
         from (values ('EXSTOCK', 'stock', 'USD', 12.34, 0.34), ('EXFUND', 'mutual_fund', 'USD', 20.1, null),
                      ('EXBOND', 'bond', 'GBP', 98.125, null), ('EXNONE', 'stock', 'USD', null, null),
                      ('EXGBP', 'stock', 'GBP', 7.1111, -0.0571), ('EXEUR', 'etf', 'EUR', 200.57, 1.53),
                      ('EXTWD', 'stock', 'TWD', 612.5, 2.5))
              t (symbol, kind, currency, price, change)`,
      [PRICE_AT],
    );
    const first = await createAccount(app, 'user_a', { name: 'First', balance: 100.55 });
    const pounds = await createAccount(app, 'user_a', { name: 'Pounds', currency: 'GBP', balance: 1000.13 });
    const empty = await createAccount(app, 'user_a', { name: 'Empty', currency: 'JPY' });
    await createAccount(app, 'user_a', { name: 'Taiwan', currency: 'TWD', balance: 6137.2 });
    await hold(first, 'EXSTOCK', '10', '100.1');
    await hold(first, 'EXSTOCK', '0.0333', null);
    await hold(first, 'EXFUND', '3.5', '70');
    await hold(first, 'EXNONE', '1', '10');
    await hold(first, 'EXEUR', '1.7', '100.25');
    await hold(pounds, 'EXGBP', '3', '21');
    await hold(empty, 'EXGBP', '1.1113', '7.77');
    await hold(pounds, 'EXBOND', '10000', '9900');
    await hold(pounds, 'EXTWD', '2', '1000');
    await holdUnlisted();
  },
  { now: () => SUNDAY },
);

const hold = (account: string, symbol: string, quantity: string, cost: string | null) =>
  app.owner(
    `insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity, cost_basis)
     values ('user_a', $1, $2, $3, $4)`,
    [account, symbol, quantity, cost],
  );

/** Adds an account of a bank with an option in yen, a security without price, and a coin without any value. */
const holdUnlisted = () =>
  app.owner(
    `with bank as (
       insert into public.accounts (idp_id, name, kind, balance) values ('user_a', 'Bank', 'bank', -20) returning id
     )
     insert into public.connected_holdings
       (idp_id, account_id, external_id, symbol, name, quantity, cost_basis, currency, institution_value, as_of)
     select 'user_a', bank.id, h.name, h.symbol, h.name, h.quantity, 5, h.currency, h.value, $1
       from bank, (values ('Option', null, -2, 'JPY', -12345.6789), ('Shares', 'EXNONE', 4, 'USD', 44.4444),
                          ('Coin', null, 1, 'USD', null)) h (name, symbol, quantity, currency, value)`,
    [PRICE_AT],
  );

const get = async <Body>(path: string): Promise<Body> => {
  const { status, body } = await app.call('GET', path, 'user_a');
  assert.equal(status, 200, path);
  return body as Body;
};
const getNetWorth = (query = 'explain=1') => get<NetWorthResponse>(`/api/net-worth?${query}`);
const listPositions = () =>
  get<{ positions: Position[]; totals: HoldingTotals[] }>('/api/investments/positions?explain=1');

/** Adds amounts of at most four decimals in integers. */
const addUp = (terms: Explanation['terms']): number =>
  Number(terms.reduce((sum, { amount }) => sum + BigInt(Math.round(amount * 1e4)), 0n)) / 1e4;

/** Asserts that the terms add up to the figure, and that a missing figure has a reason and no terms. */
function assertExplained(explanation: Explanation | undefined, figure: number | null, name: string): void {
  assert.ok(explanation, name);
  if (figure !== null) return assert.equal(addUp(explanation.terms), figure, name);
  assert.deepEqual(explanation.terms, [], name);
  assert.ok(explanation.excluded.length > 0, name);
}

/** Adds amounts of at most eight decimals in integers. */
const addUpEighth = (amounts: readonly number[]): number =>
  Number(amounts.reduce((sum, amount) => sum + BigInt(Math.round(amount * 1e8)), 0n)) / 1e8;

/** Asserts the same as `assertExplained` for amounts of eight decimals. */
function assertConverted(explanation: Explanation | undefined, figure: number | null, name: string): void {
  assert.ok(explanation, name);
  if (figure !== null) return assert.equal(addUpEighth(explanation.terms.map(({ amount }) => amount)), figure, name);
  assert.deepEqual(explanation.terms, [], name);
  assert.ok(explanation.excluded.length > 0, name);
}

type Figures = Pick<Position, 'value' | 'change_amount' | 'gain' | 'explain' | 'explain_change' | 'explain_gain'>;

function assertFiguresExplained(figures: Figures, name: string): void {
  assertExplained(figures.explain, figures.value, `value of ${name}`);
  assertExplained(figures.explain_change, figures.change_amount, `day change of ${name}`);
  assertExplained(figures.explain_gain, figures.gain?.amount ?? null, `gain of ${name}`);
}

test('explains net worth by terms that add up to it in every base currency', async () => {
  for (const currency of ['USD', 'GBP', 'EUR', 'JPY', 'CHF']) {
    await app.call('PATCH', '/api/portfolio/settings', 'user_a', { base_currency: currency });
    const { base, currencies, explain } = await getNetWorth();
    assertExplained(explain, base.total, currency);
    const balances = explain!.terms.filter(({ quantity }) => quantity === null);
    const investments = explain!.terms.filter(({ quantity }) => quantity !== null);
    assert.equal(addUp(balances.filter(({ amount }) => amount >= 0)), base.cash, currency);
    assert.equal(addUp(balances.filter(({ amount }) => amount < 0)), base.liabilities, currency);
    assert.equal(addUp(investments), base.investments, currency);
    assert.ok(explain!.terms.every((term) => term.currency === currency));
    for (const entry of currencies) assertExplained(entry.explain, entry.total, `${entry.currency} in ${currency}`);
    for (const { currency: other, amount } of base.excluded)
      assert.equal(
        addUp(explain!.excluded.filter((one) => one.reason === 'no_rate' && one.currency === other) as never),
        amount,
        other,
      );
  }
});

test('returns the same net worth with and without explanation', async () => {
  await app.call('PATCH', '/api/portfolio/settings', 'user_a', { base_currency: 'USD' });
  const plain = await getNetWorth('');
  assert.equal(plain.explain, undefined);
  const { explain: _, ...explained } = await getNetWorth();
  const currencies = explained.currencies.map(({ explain: _terms, ...entry }) => entry);
  assert.deepEqual({ ...explained, currencies }, plain);
});

test('names price, source, time and rate of each term, and what net worth omits', async () => {
  await app.call('PATCH', '/api/portfolio/settings', 'user_a', { base_currency: 'USD' });
  const { explain } = await getNetWorth();
  const find = (label: string) => explain!.terms.find((term) => term.label === label);
  assert.deepEqual(find('EXBOND in Pounds'), {
    label: 'EXBOND in Pounds',
    quantity: 10000,
    price: 98.125,
    price_currency: 'GBP',
    price_unit: 'percent_of_par',
    price_at: PRICE_AT,
    source: 'fmp',
    rate: 1.333333333,
    rate_date: '2026-11-20',
    // 10,000 x 0.98125 x 1.16 / 0.87
    amount: 13083.3333,
    currency: 'USD',
  });
  assert.deepEqual(find('EXFUND in First'), {
    label: 'EXFUND in First',
    quantity: 3.5,
    price: 20.1,
    price_currency: 'USD',
    price_unit: 'currency',
    price_at: PRICE_AT,
    source: 'fmp',
    rate: null,
    rate_date: null,
    amount: 70.35,
    currency: 'USD',
  });
  const shares = find('EXNONE in Bank');
  assert.deepEqual(
    [shares?.price, shares?.price_at, shares?.source, shares?.amount],
    [null, PRICE_AT, 'bank', 44.4444],
    'the institution states the value of shares without a price',
  );
  const cash = find('Cash in Pounds');
  assert.deepEqual(
    [cash?.quantity, cash?.price_currency, cash?.source, cash?.rate, cash?.amount],
    [null, 'GBP', 'manual', 1.333333333, 1333.5067],
  );
  assert.equal(find('Cash in Empty'), undefined);
  assert.deepEqual(explain!.excluded, [
    { what: 'EXTWD in Pounds', amount: 1225, currency: 'TWD', reason: 'no_rate' },
    { what: 'Cash in Taiwan', amount: 6137.2, currency: 'TWD', reason: 'no_rate' },
    { what: 'EXNONE in First', amount: null, currency: 'USD', reason: 'no_price' },
    { what: 'Coin in Bank', amount: null, currency: 'USD', reason: 'no_price' },
  ]);
});

test('explains value, day change and gain of each position and of the totals', async () => {
  const { positions, totals } = await listPositions();
  assert.equal(positions.length, 7);
  for (const position of positions) {
    assertFiguresExplained(position, position.symbol);
    for (const part of position.accounts) assertFiguresExplained(part, `${position.symbol} in ${part.account_name}`);
  }
  assert.deepEqual(totals.map(({ currency }) => currency).sort(), ['EUR', 'GBP', 'JPY', 'TWD', 'USD']);
  for (const entry of totals) assertFiguresExplained(entry, entry.currency);
  const stock = positions.find(({ symbol }) => symbol === 'EXSTOCK')!;
  assert.equal(stock.gain, null);
  assert.deepEqual(
    stock.explain_gain?.excluded.map(({ what, reason }) => [what, reason]),
    [['EXSTOCK in First', 'no_cost']],
  );
  assert.deepEqual(
    positions.find(({ symbol }) => symbol === 'EXGBP')!.explain_gain?.terms.map(({ label, amount }) => [label, amount]),
    [
      ['EXGBP in Pounds', 21.3333],
      ['Cost of EXGBP in Pounds', -21],
      ['EXGBP in Empty', 7.9026],
      ['Cost of EXGBP in Empty', -7.77],
    ],
  );
  const yen = totals.find(({ currency }) => currency === 'JPY')!;
  assert.deepEqual(
    [yen.value, yen.explain?.terms.map(({ label, amount }) => [label, amount])],
    [-12345.6789, [['Option in Bank', -12345.6789]]],
  );
  const [change] = positions.find(({ symbol }) => symbol === 'EXEUR')!.explain_change!.terms;
  assert.deepEqual([change?.quantity, change?.price, change?.amount], [1.7, 1.53, 2.601]);
  const dollars = totals.find(({ currency }) => currency === 'USD')!;
  assert.deepEqual(dollars.explain_gain?.excluded, [
    { what: 'EXNONE', amount: null, currency: 'USD', reason: 'no_price' },
    { what: 'EXSTOCK in First', amount: 123.8109, currency: 'USD', reason: 'no_cost' },
    { what: 'Coin in Bank', amount: null, currency: 'USD', reason: 'no_price' },
  ]);
  assert.deepEqual(
    dollars.explain_change?.excluded.map(({ what, reason }) => [what, reason]),
    [
      ['EXFUND in First', 'no_change'],
      ['EXNONE', 'no_price'],
      ['Coin in Bank', 'no_price'],
    ],
  );
});

test('explains the figures of each holding and of each account', async () => {
  const { holdings, unlisted } = await get<{ holdings: Holding[]; unlisted: Holding[] }>(
    '/api/investments/holdings?explain=1',
  );
  assert.equal(holdings.length, 10);
  for (const holding of holdings) assertFiguresExplained(holding, `${holding.symbol} in ${holding.account_name}`);
  for (const { explain, value, name } of unlisted) assertExplained(explain, value, name);
  const { accounts } = await get<{ accounts: Account[] }>('/api/accounts?explain=1');
  assert.equal(accounts.length, 5);
  for (const { explain, explain_base: explainBase, balance, base, totals, name } of accounts) {
    assertExplained(explain, balance, name);
    assertConverted(explainBase, base!.value, `value of ${name}`);
    for (const entry of totals!) assertFiguresExplained(entry, `${entry.currency} in ${name}`);
  }
});

test('explains the amounts of each holding in the base currency', async () => {
  for (const base of ['USD', 'GBP', 'JPY']) {
    await app.call('PATCH', '/api/portfolio/settings', 'user_a', { base_currency: base });
    const { holdings } = await get<PortfolioHoldings>('/api/portfolio/holdings?explain=1');
    assert.equal(holdings.length, 12);
    for (const { base: amounts, explain, explain_change, explain_gain, name, account_name: account } of holdings) {
      const gain = amounts?.cost_basis == null ? null : addUpEighth([amounts.value, -amounts.cost_basis]);
      assertConverted(explain, amounts?.value ?? null, `value of ${name} in ${account} in ${base}`);
      assertConverted(explain_change, amounts?.change_amount ?? null, `day change of ${name} in ${account} in ${base}`);
      assertConverted(explain_gain, gain, `gain of ${name} in ${account} in ${base}`);
      for (const term of explain!.terms) assert.equal(term.currency, base);
    }
  }
  await app.call('PATCH', '/api/portfolio/settings', 'user_a', { base_currency: 'USD' });
  const { holdings } = await get<PortfolioHoldings>('/api/portfolio/holdings?explain=1');
  const bond = holdings.find(({ symbol }) => symbol === 'EXBOND')!;
  assert.deepEqual(
    bond.explain_gain!.terms.map(({ label, price, price_currency: currency, price_unit: unit, rate, amount }) => [
      label,
      price,
      currency,
      unit,
      rate,
      amount,
    ]),
    [
      // 9,812.50 and 9,900 x 1.16 / 0.87
      ['EXBOND in Pounds', 98.125, 'GBP', 'percent_of_par', 1.333333333, 13083.33333333],
      ['Cost of EXBOND in Pounds', null, 'GBP', null, 1.333333333, -13200],
    ],
  );
  assert.deepEqual(bond.explain_change, {
    terms: [],
    excluded: [{ what: 'EXBOND in Pounds', amount: 13083.33333333, currency: 'USD', reason: 'no_change' }],
  });
  const listExcluded = (match: (holding: PortfolioHolding) => boolean) => {
    const { explain, explain_change, explain_gain } = holdings.find(match)!;
    return [explain, explain_change, explain_gain].map((one) =>
      one!.excluded.map(({ amount, reason }) => [amount, reason]),
    );
  };
  assert.deepEqual(
    listExcluded(({ symbol }) => symbol === 'EXTWD'),
    [[[1225, 'no_rate']], [[1225, 'no_rate']], [[1225, 'no_rate']]],
  );
  assert.deepEqual(
    listExcluded(({ name }) => name === 'Coin'),
    [[[null, 'no_price']], [[null, 'no_price']], [[null, 'no_price']]],
  );
  // -12,345.6789 x 1.16 / 163.17
  assert.deepEqual(
    listExcluded(({ name }) => name === 'Option'),
    [[], [[-87.76728274, 'no_change']], []],
  );
  // Its institution states a cost of 5 yen.
  const option = holdings.find(({ name }) => name === 'Option')!;
  assert.deepEqual(
    option.explain_gain!.terms.map(({ label, amount }) => [label, amount]),
    [
      ['Option in Bank', -87.76728274],
      ['Cost of Option in Bank', -0.03554575],
    ],
  );
});

test('leads from the day change of holdings to that of net worth in every base currency', async () => {
  await app.owner(
    `insert into public.net_worth_snapshots (idp_id, d, currency, cash, investments)
     select 'user_a', '2026-11-19', currency, 100, 5000 from unnest('{EUR,GBP,JPY,TWD,USD}'::text[]) currency`,
  );
  await app.owner(`insert into public.net_worth_flows (idp_id, currency, amount) values ('user_a', 'GBP', 12.3456)`);
  await app.owner(`insert into market.exchange_rates (currency, d, rate, source) values
    ('USD', '2026-11-19', 1.15, 'ecb'), ('GBP', '2026-11-19', 0.86, 'ecb'), ('JPY', '2026-11-19', 163, 'ecb')`);
  for (const currency of ['USD', 'EUR', 'JPY']) {
    await app.call('PATCH', '/api/portfolio/settings', 'user_a', { base_currency: currency });
    const { holdings } = await get<PortfolioHoldings>('/api/portfolio/holdings');
    const change = (await getNetWorth()).base.changes.find(({ period }) => period === '1d')!;
    const [day, others, ...more] = change.explain_market!.terms;
    assert.deepEqual(more, []);
    assert.equal(day!.label, 'Day change of holdings');
    const changes = holdings.flatMap(({ base }) => base?.change_amount ?? []);
    assert.equal(day!.amount, addUpEighth(changes), currency);
    assertConverted(change.explain_market, change.market, `market in ${currency}`);
    assert.equal(others!.label, 'Other price changes: funds, bonds and trades');
    assert.ok(change.flows !== 0 && change.exchange_rates !== 0);
    assertExplained(change.explain_flows, change.flows, 'flows');
    assertExplained(change.explain_exchange_rates, change.exchange_rates, 'exchange rates');
  }
});

test('adds no explanation and no statement to a request without it', async (t) => {
  const statements = recordStatements(t);
  for (const path of [
    '/api/investments/positions',
    '/api/investments/holdings',
    '/api/portfolio/holdings',
    '/api/accounts',
    '/api/net-worth',
  ]) {
    const before = statements.length;
    assert.doesNotMatch(JSON.stringify(await get(path)), /"explain/);
    const plainCount = statements.length - before;
    assert.equal(JSON.stringify(await get(`${path}?explain=0`)).includes('"explain'), false);
    assert.equal(statements.length - before, 2 * plainCount, path);
  }
  assert.equal((await app.call('GET', '/api/net-worth?explain=yes', 'user_a')).status, 400);
  assert.equal((await app.call('GET', '/api/accounts?explain=yes', 'user_a')).status, 400);
});
