import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'vitest';
import { createAccount, type InvestmentsApp, setUpInvestmentsApp } from '../../../../test/support/investments-app.ts';
import type { Dividend } from '../../../market-data/domain/market-data-provider.ts';
import { datePayments } from '../../../market-data/domain/dividends.ts';
import { cleanDividends } from '../../../market-data/services/dividends/clean-dividends.ts';
import type { DividendsResponse } from './contract.ts';

const TODAY = '2026-11-20';

type Row = Pick<Dividend, 'ex_date' | 'payment_date' | 'amount' | 'per_year'> &
  Partial<Pick<Dividend, 'currency' | 'declared_on'>>;

/** Returns a row of a provider. */
const row = (
  exDate: string,
  paymentDate: string | null,
  amount: number,
  perYear: number | null,
  changes: Partial<Row> = {},
): Row => ({ ex_date: exDate, payment_date: paymentDate, amount, per_year: perYear, ...changes });

interface Shape {
  title: string;
  listing?: { type?: string; currency?: string; unit?: string };
  quantity: number;
  price: number;
  cost: number | null;
  rows: Row[];
  /** Dates and amounts in dollars of the next 90 days. */
  soon: [date: string, status: string, amount: number][];
  /** Income of twelve months in dollars, and the yields on value and on cost. */
  year: [income: number, onValue: number, onCost: number | null] | null;
}

const shapes: readonly Shape[] = [
  {
    title: 'monthly',
    quantity: 100,
    price: 20,
    cost: 1_500,
    rows: [row('2026-11-10', '2026-11-25', 0.1, 12)],
    soon: [
      ['2026-11-25', 'declared', 10],
      ['2026-12-25', 'expected', 10],
      ['2027-01-25', 'expected', 10],
    ],
    year: [120, 6, 8],
  },
  {
    title: 'quarterly',
    quantity: 40,
    price: 50,
    cost: 1_600,
    rows: [row('2026-09-11', '2026-10-01', 0.5, 4)],
    soon: [['2027-01-01', 'expected', 20]],
    year: [80, 4, 5],
  },
  {
    title: 'half-yearly',
    quantity: 10,
    price: 100,
    cost: 800,
    rows: [row('2026-08-20', '2026-09-15', 2, 2)],
    soon: [],
    year: [40, 4, 5],
  },
  {
    title: 'annual',
    quantity: 5,
    price: 64,
    cost: 200,
    rows: [row('2026-05-04', '2026-05-08', 3.2, 1)],
    soon: [],
    year: [16, 5, 8],
  },
  {
    title: 'special beside regular',
    quantity: 20,
    price: 62,
    cost: 620,
    rows: [row('2026-11-30', '2026-12-15', 0.4, 4), row('2026-11-30', '2026-12-15', 1.5, null)],
    soon: [
      ['2026-12-15', 'declared', 8],
      ['2026-12-15', 'declared', 30],
    ],
    year: [62, 5, 10],
  },
  {
    title: 'in pence',
    listing: { currency: 'GBP', unit: 'GBp' },
    quantity: 1_000,
    price: 0.9,
    cost: 500,
    rows: [row('2026-11-26', '2027-02-05', 2.25, 2, { currency: 'GBX' })],
    soon: [['2027-02-05', 'declared', 33.75]],
    year: [67.5, 5, 9],
  },
  {
    title: 'depositary receipt that pays in another currency',
    quantity: 50,
    price: 48,
    cost: 1_200,
    rows: [row('2026-04-20', '2026-05-05', 0.8, 1, { currency: 'EUR' })],
    soon: [],
    year: [48, 2, 4],
  },
  {
    title: 'mutual fund',
    listing: { type: 'mutual_fund' },
    quantity: 310.482,
    price: 140,
    cost: 31_048.2,
    rows: [row('2026-09-25', '2026-09-28', 0.45, 4)],
    soon: [['2026-12-28', 'expected', 139.7169]],
    year: [558.8676, 1.285714285714, 1.8],
  },
  {
    title: 'irregular',
    quantity: 10,
    price: 10,
    cost: 100,
    rows: [row('2026-05-20', '2026-06-01', 0.7, null)],
    soon: [],
    year: null,
  },
  {
    title: 'suspended',
    quantity: 10,
    price: 10,
    cost: 100,
    rows: [row('2026-03-10', '2026-03-31', 0.7, 4)],
    soon: [],
    year: null,
  },
  {
    title: 'cut',
    quantity: 100,
    price: 25,
    cost: 5_000,
    rows: [row('2026-10-20', '2026-11-02', 0.25, 4), row('2026-07-20', '2026-08-03', 1, 4)],
    soon: [['2027-02-02', 'expected', 25]],
    year: [100, 4, 2],
  },
  {
    title: 'raised',
    quantity: 10,
    price: 44,
    cost: 220,
    rows: [row('2026-12-07', '2026-12-21', 0.55, 4), row('2026-09-07', '2026-09-21', 0.5, 4)],
    soon: [['2026-12-21', 'declared', 5.5]],
    year: [22, 5, 10],
  },
  {
    title: 'split between payments',
    quantity: 400,
    price: 20,
    cost: 4_000,
    rows: [row('2026-08-14', '2026-09-01', 0.25, 4), row('2026-05-14', '2026-06-01', 0.25, 4)],
    soon: [['2026-12-01', 'expected', 100]],
    year: [400, 5, 10],
  },
  {
    title: 'currency change',
    quantity: 10,
    price: 24,
    cost: 120,
    rows: [row('2026-10-15', '2026-10-30', 0.3, 4), row('2026-07-15', '2026-07-30', 0.2, 4, { currency: 'GBP' })],
    soon: [['2027-02-01', 'expected', 3]],
    year: [12, 5, 10],
  },
  {
    title: 'ex-date on a closed day',
    quantity: 10,
    price: 4,
    cost: 20,
    rows: [row('2026-11-28', null, 0.2, 1)],
    soon: [['2026-11-28', 'declared', 2]],
    year: [2, 5, 10],
  },
  {
    title: 'declared without payment date',
    quantity: 5,
    price: 48,
    cost: 120,
    rows: [row('2026-12-01', null, 0.6, 4)],
    soon: [['2026-12-01', 'declared', 3]],
    year: [12, 5, 10],
  },
  {
    title: 'stock dividend',
    quantity: 10,
    price: 10,
    cost: 100,
    rows: [row('2026-12-01', '2026-12-15', 0, null)],
    soon: [],
    year: null,
  },
  {
    title: 'corrected amount',
    quantity: 100,
    price: 9,
    cost: 450,
    rows: [
      row('2026-12-10', '2026-12-29', 0.5, 1, { declared_on: '2026-10-01' }),
      row('2026-12-10', '2026-12-30', 0.45, 1, { declared_on: '2026-10-20' }),
    ],
    soon: [['2026-12-30', 'declared', 45]],
    year: [45, 5, 10],
  },
  {
    title: 'fractional holding',
    quantity: 0.3333333333,
    price: 120,
    cost: 20,
    rows: [row('2026-11-02', '2026-11-16', 1.23, 4)],
    soon: [['2027-02-16', 'expected', 0.41]],
    year: [1.64, 4.1, 8.2],
  },
  {
    title: 'holding without cost',
    quantity: 10,
    price: 20,
    cost: null,
    rows: [row('2026-10-05', '2026-10-20', 0.1, 4)],
    soon: [['2027-01-20', 'expected', 1]],
    year: [4, 2, null],
  },
  { title: 'no dividend known', quantity: 10, price: 10, cost: 100, rows: [], soon: [], year: null },
];

const getSymbol = (index: number): string => `SHAPE${index}`;

let app: InvestmentsApp;
setUpInvestmentsApp(
  async (started) => {
    app = started;
    const account = await createAccount(app, 'user_a');
    await app.owner('delete from market.exchange_rates');
    await app.owner(
      `insert into market.exchange_rates (currency, d, rate, source)
       values ('USD', '2026-11-19', 1.2, 'simulator'), ('GBP', '2026-11-19', 0.8, 'simulator')`,
    );
    for (const [index, { listing, price, quantity, cost, rows }] of shapes.entries()) {
      const { type = 'stock', currency = 'USD', unit = null } = listing ?? {};
      const symbol = getSymbol(index);
      await addListing(symbol, { type, currency, unit, price });
      await storePayments(symbol, { currency, unit, rows });
      await app.owner(
        `insert into public.manual_public_holdings
           (idp_id, account_id, symbol, quantity, cost_basis, created_at, quantity_changed_at)
         values ('user_a', $1, $2, $3, $4, '2026-01-05', '2026-10-01T12:00:00Z')`,
        [account, symbol, quantity, cost],
      );
    }
  },
  { now: () => new Date(`${TODAY}T15:00:00Z`) },
);

const addListing = (
  symbol: string,
  { type, currency, unit, price }: { type: string; currency: string; unit: string | null; price: number },
) =>
  app.owner(
    `insert into public.tracked_tickers_latest
       (symbol, name, asset_type, currency, declared_unit, current_price, price_at, source)
     values ($1, $1, $2, $3, $4, $5, '2026-11-20T14:45:00Z', 'simulator')`,
    [symbol, type, currency, unit, price],
  );

const storePayments = (
  symbol: string,
  { currency, unit, rows }: { currency: string; unit: string | null; rows: readonly Row[] },
) => {
  const dividends = rows.map((each): Dividend => ({ symbol, currency: 'USD', declared_on: null, ...each }));
  const { payments } = cleanDividends(dividends, { symbol, currency, declared_unit: unit }, TODAY);
  return app.owner(
    `insert into market.dividends (symbol, payments, fetched_at, sample) values ($1, $2, now(), true)
     on conflict (symbol) do update set payments = excluded.payments`,
    [symbol, JSON.stringify(payments)],
  );
};

const readDividends = async (member = 'user_a', query = ''): Promise<DividendsResponse> =>
  (await app.call('GET', `/api/dividends${query}`, member)).body;

for (const [index, shape] of shapes.entries())
  test(`computes income and yields when the dividend is: ${shape.title}`, async () => {
    const { payments, holdings } = await readDividends();
    const { body } = await app.call('GET', '/api/portfolio/holdings', 'user_a');
    const { id } = body.holdings.find(({ symbol }: { symbol: string }) => symbol === getSymbol(index));
    const holding = holdings.find((each) => each.id === id);

    assert.deepEqual(
      payments
        .filter(({ symbol }) => symbol === getSymbol(index))
        .map(({ date, status, base }) => [date, status, base]),
      shape.soon,
    );
    assert.deepEqual(holding ? [holding.income, holding.yield_on_value, holding.yield_on_cost] : null, shape.year);
  });

test('adds up the income of all holdings and the yields of their whole value and cost', async () => {
  const all = await readDividends();
  assert.deepEqual(
    [all.income_90_days, all.income_12_months, all.yield_on_value, all.yield_on_cost],
    [446.3769, 1591.0076, 2.382551123522, 3.30157484574],
  );
  assert.deepEqual([all.currency, all.complete, all.sample_data, all.excluded], ['USD', true, true, []]);
});

test('lists what a holding was paid only since its quantity last changed, and the months ahead', async () => {
  const { months, income_12_months: income } = await readDividends();
  assert.deepEqual([months[0]!.month, months.at(-1)!.month, months.length], ['2025-11', '2027-11', 25]);
  assert.deepEqual(
    months.filter(({ paid }) => paid !== 0).map(({ month, paid }) => [month, paid]),
    [
      ['2026-10', 4],
      ['2026-11', 25.41],
    ],
  );
  const ahead = months.reduce((sum, { declared, expected }) => sum + declared + expected, 0);
  assert.equal(ahead.toFixed(4), income!.toFixed(4));
});

test('keeps what a holding was paid after a change of its cost or a split, and not after one of its quantity', async () => {
  await app.owner(`insert into public.all_users (idp_id) values ('user_edit')`);
  const account = await createAccount(app, 'user_edit');
  const [added] = await app.owner<{ id: string }>(
    `insert into public.manual_public_holdings
       (idp_id, account_id, symbol, quantity, cost_basis, created_at, quantity_changed_at)
     values ('user_edit', $1, $2, 100, 5000, '2026-01-05', '2026-01-05') returning id`,
    [account, getSymbol(10)],
  );
  const listPaid = async () =>
    (await readDividends('user_edit')).months.flatMap(({ month, paid }) => (paid === 0 ? [] : [[month, paid]]));
  const change = async (body: object) =>
    assert.equal((await app.call('PATCH', `/api/investments/holdings/${added!.id}`, 'user_edit', body)).status, 200);
  assert.deepEqual(await listPaid(), [
    ['2026-08', 100],
    ['2026-11', 25],
  ]);

  await change({ cost_basis: 4_000 });
  await change({ quantity: 100 });
  assert.deepEqual((await listPaid()).length, 2, 'the cost, or the same quantity');
  await change({ quantity: 200, split: true });
  assert.deepEqual(await listPaid(), [
    ['2026-08', 200],
    ['2026-11', 50],
  ]);
  await change({ quantity: 90 });
  assert.deepEqual(await listPaid(), []);
  await app.owner(`update public.manual_public_holdings set quantity_changed_at = '2026-10-01' where id = $1`, [
    added!.id,
  ]);
  assert.deepEqual(await listPaid(), [['2026-11', 22.5]], 'only those since');
});

test('keeps what a holding was paid when an import leaves its quantity, and after the undo of one', async () => {
  await app.owner(`insert into public.all_users (idp_id) values ('user_import')`);
  const account = await createAccount(app, 'user_import');
  await app.owner(
    `insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity, created_at, quantity_changed_at)
     values ('user_import', $1, $2, 100, '2026-01-05', '2026-01-05')`,
    [account, getSymbol(10)],
  );
  const countPaid = async () => (await readDividends('user_import')).months.filter(({ paid }) => paid !== 0).length;
  const importFile = async (quantity: number) =>
    (
      await app.call('POST', '/api/holdings/import', 'user_import', {
        text: `Symbol,Quantity,Cost Basis\n${getSymbol(10)},${quantity},4000`,
        account_id: account,
      })
    ).body;

  await importFile(100);
  assert.equal(await countPaid(), 2, 'the same quantity');
  const { import_id: id } = await importFile(90);
  assert.equal(await countPaid(), 0, 'another quantity');
  assert.equal((await app.call('POST', `/api/holdings/import/${id}/undo`, 'user_import', {})).status, 204);
  assert.equal(await countPaid(), 2, 'undone');
});

test('explains both incomes by terms that add up to them', async () => {
  const { body } = await app.call('GET', '/api/dividends?explain=1', 'user_a');
  for (const [income, explanation] of [
    [body.income_90_days, body.explain_90_days],
    [body.income_12_months, body.explain_12_months],
  ]) {
    const sum = explanation.terms.reduce((total: number, { amount }: { amount: number }) => total + amount, 0);
    assert.equal(sum.toFixed(8), income.toFixed(8));
  }
  const pence = body.explain_12_months.terms.find(({ label }: { label: string }) =>
    label.startsWith('SHAPE5, declared'),
  );
  assert.deepEqual(
    [pence.label, pence.quantity, pence.price, pence.price_currency, pence.rate, pence.amount, pence.currency],
    ['SHAPE5, declared, 1 payment', 1000, 0.0225, 'GBP', 1.5, 33.75, 'USD'],
  );
});

test('shows nothing of a short position, whose value and cost the institution states', async () => {
  const account = await createAccount(app, 'user_b', { name: 'Margin' });
  await app.owner(
    `insert into public.connected_holdings
       (idp_id, account_id, external_id, name, quantity, institution_value, cost_basis, currency, as_of)
     values ('user_b', $1, 'short', 'SHAPE1 short', -20, -1000, -900, 'USD', '2026-11-20T15:00:00Z')`,
    [account],
  );
  const { payments, holdings, income_12_months: income, yield_on_value: yieldOnValue } = await readDividends('user_b');
  assert.deepEqual([payments, holdings, income, yieldOnValue], [[], [], null, null]);
  await app.owner(`delete from public.connected_holdings where idp_id = 'user_b'`);
});

test('never counts a past payment of a connected holding, whose earlier quantity is unknown', async () => {
  const account = await createAccount(app, 'user_b', { name: 'Broker' });
  await app.owner(
    `insert into public.connected_holdings
       (idp_id, account_id, external_id, symbol, name, quantity, currency, as_of, created_at)
     values ('user_b', $1, 'cut', $2, 'Cut', 4, 'USD', '2026-11-20T15:00:00Z', '2026-01-05')`,
    [account, getSymbol(10)],
  );
  const { months, income_12_months: income } = await readDividends('user_b');
  // No payment is left in November, so that twelve months are listed.
  assert.deepEqual([months[0]!.month, months.at(-1)!.month, months.length, income], ['2026-12', '2027-11', 12, 4]);
  await app.owner(`delete from public.connected_holdings where idp_id = 'user_b'`);
});

test('leaves out of the income what has no exchange rate, and names it', async () => {
  const account = await createAccount(app, 'user_b', { name: 'Abroad' });
  await addListing('NORATE', { type: 'stock', currency: 'USD', unit: null, price: 10 });
  await storePayments('NORATE', {
    currency: 'USD',
    unit: null,
    rows: [row('2026-12-01', null, 2, null, { currency: 'TWD' })],
  });
  await app.owner(
    `insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity) values ('user_b', $1, 'NORATE', 3)`,
    [account],
  );
  const { payments, income_90_days: income, excluded, holdings } = await readDividends('user_b', '?explain=1');
  assert.deepEqual([payments[0]!.amount, payments[0]!.base, income, holdings], [2, null, null, []]);
  assert.deepEqual(excluded, [{ currency: 'TWD', amount: 6, reason: 'no_rate' }]);
});

test('lists dividends of a watched security without income, and requests those that were never fetched', async () => {
  await app.database.service.query('select public.add_watchlist_item($1, $2)', ['user_demo', getSymbol(0)]);
  const before = await readDividends('user_demo');
  assert.deepEqual(before.payments.map(({ held, watching, quantity, base }) => [held, watching, quantity, base])[0], [
    false,
    true,
    null,
    null,
  ]);
  assert.deepEqual([before.income_12_months, before.months, before.complete], [null, [], true]);

  await app.database.service.query('select public.add_watchlist_item($1, $2)', ['user_demo', 'VTI']);
  assert.equal((await readDividends('user_demo')).complete, false);
  await app.market.tasks['refresh-dividends']!({} as never, { signal: new AbortController().signal } as never);
  const after = await readDividends('user_demo');
  assert.deepEqual([after.complete, after.payments.some(({ symbol }) => symbol === 'VTI')], [true, true]);
});

test('lists payments of held securities first when several are on one day', async () => {
  const account = await createAccount(app, 'user_b', { name: 'Order' });
  const payment = { currency: 'USD', unit: null, rows: [row('2026-12-01', '2026-12-15', 1, null)] };
  for (const symbol of ['ORDERA', 'ORDERB']) {
    await addListing(symbol, { type: 'stock', currency: 'USD', unit: null, price: 10 });
    await storePayments(symbol, payment);
  }
  await app.database.service.query('select public.add_watchlist_item($1, $2)', ['user_b', 'ORDERA']);
  await app.owner(
    `insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity) values ('user_b', $1, 'ORDERB', 3)`,
    [account],
  );
  const { payments } = await readDividends('user_b');
  assert.deepEqual(
    payments.flatMap(({ date, symbol, base }) => (date === '2026-12-15' ? [[symbol, base]] : [])),
    [
      ['ORDERB', 3],
      ['ORDERA', null],
    ],
  );
});

test('shows nothing of a locked row and nothing of another member', async () => {
  app.lockedSymbols.add(getSymbol(0));
  assert.deepEqual(
    (await readDividends('user_demo')).payments.filter(({ symbol }) => symbol === getSymbol(0)),
    [],
  );
  app.lockedSymbols.clear();
  assert.deepEqual((await readDividends('user_sample')).holdings, []);
});

test('lists income by month and security that adds up to the months of all, and only of the member', async () => {
  const read = (idpId: string) => app.investments.getDividendIncome({ idpId, sessionId: 'sess_1' });
  const { rows, dividends } = await read('user_a');
  for (const { month, paid, declared, expected } of dividends.months) {
    const sum = (status: string): string =>
      rows
        .filter((each) => each.month === month && each.status === status)
        .reduce((total, { income }) => total + income, 0)
        .toFixed(6);
    assert.deepEqual(
      [sum('paid'), sum('declared'), sum('expected')],
      [paid, declared, expected].map((amount) => amount.toFixed(6)),
      month,
    );
  }
  assert.deepEqual(
    rows.filter(({ symbol, status }) => symbol === getSymbol(10) && status === 'paid'),
    [{ symbol: getSymbol(10), name: getSymbol(10), month: '2026-11', status: 'paid', income: 25 }],
  );
  assert.deepEqual((await read('user_sample')).rows, []);
});

test('computes the example of the documentation', async () => {
  const page = await readFile('docs/explanation/portfolio.md', 'utf8');
  const lines = [...page.matchAll(/^\| (paid|declared|expected) \| (\S+) \| (\S+) \| \$(\S+) \| (?:\$(\d+) )?\|$/gm)];
  const example = lines.map(([, status, exDate, day, perShare]) => ({
    status,
    exDate,
    day: day!,
    perShare: Number(perShare),
  }));
  const known = example
    .filter(({ status }) => status !== 'expected')
    .map(({ exDate, day, perShare }) => row(exDate!, day, perShare, 4));
  const [, quantity, price, cost] = /2026, (\d+) shares are held at a price of \$(\d+) and a cost of \$([\d,]+)\./.exec(
    page,
  )!;
  const [, soon, year, onValue, onCost] =
    /90 days is \$(\d+), and .* \$(\d+): a yield of (\d+)% on the value and of (\d+)% on the cost/.exec(page)!;
  const payments = known.map(({ declared_on: _, ...payment }) => ({
    ...payment,
    amount: payment.amount!,
    currency: 'USD',
  }));
  assert.deepEqual(
    datePayments(payments, TODAY).map((payment) => [payment.status, payment.ex_date, payment.date, payment.amount]),
    example.map(({ status, exDate, day, perShare }) => [status, exDate, day, perShare]),
  );

  await addListing('PAGE', { type: 'stock', currency: 'USD', unit: null, price: Number(price) });
  await storePayments('PAGE', { currency: 'USD', unit: null, rows: known });
  await app.owner(`insert into public.all_users (idp_id) values ('user_page')`);
  const account = await createAccount(app, 'user_page');
  await app.owner(
    `insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity, cost_basis)
     values ('user_page', $1, 'PAGE', $2, $3)`,
    [account, Number(quantity), Number(cost!.replace(',', ''))],
  );
  const figures = await readDividends('user_page');
  assert.deepEqual(
    [figures.income_90_days, figures.income_12_months, figures.yield_on_value, figures.yield_on_cost],
    [soon, year, onValue, onCost].map(Number),
  );
  assert.equal(example.length, 5);
});
