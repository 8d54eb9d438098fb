import assert from 'node:assert/strict';
import { test } from 'vitest';
import { type InvestmentsApp, createAccount, setUpInvestmentsApp } from '../../../../test/support/investments-app.ts';
import type { HoldingTotals, Position } from './contract.ts';

let app: InvestmentsApp;
let first: string;
let second: string;
setUpInvestmentsApp(async (started) => {
  app = started;
  first = await createAccount(app, 'user_a', { name: 'First' });
  second = await createAccount(app, 'user_a', { name: 'Second' });
  await app.owner(
    `insert into public.tracked_tickers_latest
       (symbol, asset_type, name, currency, current_price, change_amount, prev_close, change_1d, price_at, source)
     select symbol, kind, symbol, currency, price, change, price - change, 100 * change / (price - change), case when price is not null then now() end,
            'fmp'
       from (values ('FIGSTOCK', 'stock', 'USD', 12.34, 0.34), ('FIGFUND', 'mutual_fund', 'USD', 20.1, null),
                    ('FIGBOND', 'bond', 'USD', 98.125, null), ('FIGNOCOST', 'stock', 'USD', 0.3, -0.1),
                    ('FIGFREE', 'etf', 'USD', 5, 0), ('FIGNONE', 'stock', 'USD', null, null),
                    ('FIGGBP', 'stock', 'GBP', 7.1, -0.05), ('FIGEUR', 'stock', 'EUR', 200.5, 1.5))
            t (symbol, kind, currency, price, change)`,
  );
  await hold(first, 'FIGSTOCK', '10', '100.1');
  await hold(first, 'FIGFUND', '3.5', '70');
  await hold(first, 'FIGBOND', '10000', '9900');
  await hold(first, 'FIGNOCOST', '0.1', null);
  await hold(first, 'FIGFREE', '2', '0');
  await hold(first, 'FIGNONE', '1', '10');
  await hold(first, 'FIGEUR', '1', '100.25');
  await hold(second, 'FIGEUR', '2', null);
  await hold(second, 'FIGGBP', '150', '958.5');
});

const hold = (account: string, symbol: string, quantity: string, cost: string | null) =>
  app.owner(
    `insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity, cost_basis)
     values ('user_a', $1, $2, $3, $4)`,
    [account, symbol, quantity, cost],
  );

const listPositions = async (): Promise<{ positions: Position[]; totals: HoldingTotals[] }> =>
  (await app.call('GET', '/api/investments/positions', 'user_a')).body;

async function getFigures(symbol: string) {
  const { value, change_amount: change, gain, weight } = await getPosition(symbol);
  return { value, change, gain, weight };
}

async function getPosition(symbol: string): Promise<Position> {
  const { positions } = await listPositions();
  return positions.find((position) => position.symbol === symbol)!;
}

test('calculates day change, gain and weight of each position', async () => {
  assert.deepEqual(await getFigures('FIGSTOCK'), {
    value: 123.4,
    change: 3.4,
    gain: { amount: 23.3, percent: 23.276723276723 },
    weight: 1.231994313258,
  });
  assert.deepEqual(await getFigures('FIGGBP'), {
    value: 1065,
    change: -7.5,
    gain: { amount: 106.5, percent: 11.111111111111 },
    // A pound has no rate to the base currency.
    weight: null,
  });
});

test('values a bond by percent of par', async () => {
  assert.deepEqual(await getFigures('FIGBOND'), {
    value: 9812.5,
    change: null,
    gain: { amount: -87.5, percent: -0.883838383838 },
    weight: 97.965512146226,
  });
  assert.deepEqual(await getFigures('FIGFUND'), {
    value: 70.35,
    change: null,
    gain: { amount: 0.35, percent: 0.5 },
    weight: 0.702356563515,
  });
});

test('returns no gain when the cost of a holding is unknown, and no figures without a price', async () => {
  assert.deepEqual(await getFigures('FIGNOCOST'), { value: 0.03, change: -0.01, gain: null, weight: 0.000299512394 });
  assert.deepEqual(await getFigures('FIGEUR'), { value: 601.5, change: 4.5, gain: null, weight: null });
  assert.deepEqual(await getFigures('FIGNONE'), { value: null, change: null, gain: null, weight: null });
});

test('returns a gain without percentage when the cost is zero', async () => {
  assert.deepEqual((await getFigures('FIGFREE')).gain, { amount: 10, percent: null });
});

test('adds up three currencies separately and counts what each total omits', async () => {
  assert.deepEqual((await listPositions()).totals, [
    {
      currency: 'USD',
      value: 10016.28,
      change_amount: 3.39,
      change_percent: 2.606890187635,
      gain: { amount: -53.85, percent: -0.534751392737 },
      without_price: 1,
      without_change: 2,
      without_cost: 1,
    },
    {
      currency: 'EUR',
      value: 601.5,
      change_amount: 4.5,
      change_percent: 0.753768844221,
      gain: null,
      without_price: 0,
      without_change: 0,
      without_cost: 1,
    },
    {
      currency: 'GBP',
      value: 1065,
      change_amount: -7.5,
      change_percent: -0.699300699301,
      gain: { amount: 106.5, percent: 11.111111111111 },
      without_price: 0,
      without_change: 0,
      without_cost: 0,
    },
  ]);
});

test('returns the figures of each account and of each holding', async () => {
  const { accounts } = (await app.call('GET', '/api/accounts', 'user_a')).body;
  const totals = accounts.map((account: { name: string; totals: HoldingTotals[] }) => [
    account.name,
    account.totals.map(({ currency, value, change_amount: change, gain }) => [currency, value, change, gain?.amount]),
  ]);
  assert.deepEqual(totals, [
    [
      'First',
      [
        ['USD', 10016.28, 3.39, -53.85],
        ['EUR', 200.5, 1.5, 100.25],
      ],
    ],
    [
      'Second',
      [
        ['EUR', 401, 3, undefined],
        ['GBP', 1065, -7.5, 106.5],
      ],
    ],
  ]);
  const { holdings } = (await app.call('GET', '/api/investments/holdings', 'user_a')).body;
  assert.deepEqual(
    holdings
      .filter(({ symbol }: { symbol: string }) => symbol === 'FIGEUR')
      .map((holding: Position) => [holding.change_amount, holding.gain]),
    [
      [1.5, { amount: 100.25, percent: 100 }],
      [3, null],
    ],
  );
});

test('keeps day change and gain when a split changes quantity and prices', async () => {
  const before = await getFigures('FIGSTOCK');
  await app.owner(`update public.manual_public_holdings set quantity = quantity * 4 where symbol = 'FIGSTOCK'`);
  await app.owner(
    `update public.tracked_tickers_latest
        set current_price = current_price / 4, prev_close = prev_close / 4, change_amount = change_amount / 4
      where symbol = 'FIGSTOCK'`,
  );
  assert.equal((await getPosition('FIGSTOCK')).quantity, 40);
  assert.deepEqual(await getFigures('FIGSTOCK'), before);
});
