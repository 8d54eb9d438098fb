import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createPlaidClient } from './plaid-client.ts';
import { readPortfolio } from './read-portfolio.ts';

interface Account {
  id: string;
  type: string;
  current: number | null;
  available?: number | null;
  currency?: string | null;
}
type Line = [account: string, security: string, quantity: number, value: number, more?: object];

/** Securities by id with their type and ticker. */
const SECURITIES: Record<string, object> = {
  usd: { type: 'cash', ticker_symbol: 'CUR:USD', is_cash_equivalent: true },
  eur: { type: 'cash', ticker_symbol: 'CUR:EUR', is_cash_equivalent: true, iso_currency_code: 'EUR' },
  money: { type: 'mutual fund', ticker_symbol: 'SPAXX', is_cash_equivalent: true },
  voo: { type: 'etf', ticker_symbol: 'VOO' },
  bond: { type: 'fixed income', ticker_symbol: 'T 4 1/4' },
  coin: { type: 'cryptocurrency', ticker_symbol: 'BTC' },
};

/** Returns the result of `readPortfolio` for these responses to the aggregator's own library. */
async function read(
  accounts: Account[],
  lines: Line[] | { status: number; error_code: string },
  item: object = { error: null, consent_expiration_time: null },
) {
  const accountRows = accounts.map(({ id, type, current, available = null, currency = 'USD' }) => ({
    account_id: id,
    name: id,
    mask: '1234',
    type,
    subtype: null,
    balances: { current, available, limit: null, iso_currency_code: currency },
  }));
  const holdings = Array.isArray(lines)
    ? {
        accounts: accountRows,
        holdings: lines.map(([account_id, security_id, quantity, institution_value, more]) => ({
          account_id,
          security_id,
          quantity,
          institution_value,
          cost_basis: null,
          iso_currency_code: 'USD',
          institution_price_as_of: '2026-11-20',
          ...more,
        })),
        securities: Object.entries(SECURITIES).map(([security_id, security]) => ({
          security_id,
          name: security_id,
          iso_currency_code: 'USD',
          ...security,
        })),
      }
    : undefined;
  const request_id = 'req';
  const plaid = createPlaidClient({
    clientId: 'client',
    secret: 'secret',
    baseUrl: 'http://bank.test',
    fetch: async (request) => {
      if ((request as Request).url.endsWith('/accounts/get'))
        return Response.json({ accounts: accountRows, item, request_id });
      return holdings
        ? Response.json({ ...holdings, item, request_id })
        : Response.json(lines, lines as { status: number });
    },
  });
  const found = await readPortfolio(plaid, 'access');
  assert.ok(found.ok);
  const { portfolio } = found;
  return {
    balances: portfolio.accounts.map(({ externalId, currency, balance }) => `${externalId} ${currency} ${balance}`),
    holdings: portfolio.holdings?.map(({ externalId, symbol, quantity, value }) => [
      externalId,
      symbol,
      quantity,
      value,
    ]),
    isExpiring: portfolio.isExpiring,
  };
}

test('counts cash lines of an investment account as cash and the rest as holdings', async () => {
  const accounts = [{ id: 'ira', type: 'investment', current: 7_200, available: 1_500 }];
  const lines: Line[] = [
    ['ira', 'usd', 1_500, 1_500],
    ['ira', 'voo', 9.5, 5_700],
  ];
  const found = await read(accounts, lines);
  assert.deepEqual(found.balances, ['ira USD 1500']);
  assert.deepEqual(found.holdings, [['voo', 'VOO', '9.5', '5700']]);
});

test('counts a money market fund as a holding although it is called a cash equivalent', async () => {
  const accounts = [{ id: 'ira', type: 'investment', current: 300, available: 0 }];
  const found = await read(accounts, [['ira', 'money', 300, 300]]);
  assert.deepEqual(found.balances, ['ira USD 0']);
  assert.deepEqual(found.holdings, [['money', 'SPAXX', '300', '300']]);
});

test('subtracts investments when an institution reports everything as available', async () => {
  const accounts = [{ id: 'ira', type: 'investment', current: 6_000, available: 6_000 }];
  assert.deepEqual((await read(accounts, [['ira', 'voo', 9.5, 5_700]])).balances, ['ira USD 300']);
  assert.deepEqual((await read(accounts, [])).balances, ['ira USD 6000'], 'cash only');
});

test('counts debt on cards or loans as negative and an overpaid card as positive', async () => {
  const accounts = [
    { id: 'checking', type: 'depository', current: 1_250.5, available: 1_200.5 },
    { id: 'card', type: 'credit', current: 410.2, available: 4_589.8 },
    { id: 'overpaid', type: 'credit', current: -25 },
    { id: 'mortgage', type: 'loan', current: 250_000 },
    { id: 'paid', type: 'loan', current: 0 },
    { id: 'unknown', type: 'credit', current: null },
  ];
  const { balances, holdings } = await read(accounts, []);
  assert.deepEqual(balances, [
    'checking USD 1250.5',
    'card USD -410.2',
    'overpaid USD 25',
    'mortgage USD -250000',
    'paid USD 0',
    'unknown USD null',
  ]);
  assert.deepEqual(holdings, [], 'requests no holdings without an account for them');
});

test('returns an account per currency of the cash and omits currencies without a code', async () => {
  const accounts = [
    { id: 'ira', type: 'investment', current: 7_000, available: 500 },
    { id: 'points', type: 'depository', current: 9, currency: null },
    { id: 'pounds', type: 'depository', current: 8, currency: 'GBP' },
  ];
  const found = await read(accounts, [
    ['ira', 'usd', 500, 500],
    ['ira', 'eur', 90, 90, { iso_currency_code: 'EUR' }],
    ['ira', 'voo', 9.5, 5_700],
  ]);
  assert.deepEqual(found.balances, ['ira USD 500', 'ira EUR 90', 'pounds GBP 8']);
});

test('returns no symbol for bonds, coins or shorts and merges lots of one security', async () => {
  const accounts = [{ id: 'ira', type: 'investment', current: 5_000, available: 0 }];
  const found = await read(accounts, [
    ['ira', 'voo', -3, -1_800],
    ['ira', 'bond', 10, 9_800],
    ['ira', 'coin', 0.5, 30_000],
    ['ira', 'money', 10, 10],
    ['ira', 'money', 2.5, 2.5],
  ]);
  assert.deepEqual(found.holdings, [
    ['voo', null, '-3', '-1800'],
    ['bond', null, '10', '9800'],
    ['coin', null, '0.5', '30000'],
    ['money', 'SPAXX', '12.5', '12.5'],
  ]);
});

test('returns null holdings when they are unavailable or incomplete', async () => {
  const accounts = [
    { id: 'ira', type: 'investment', current: 7_200 },
    { id: 'other', type: 'investment', current: 100, available: 100 },
  ];
  for (const lines of [
    { status: 500, error_code: 'INTERNAL_SERVER_ERROR' },
    { status: 429, error_code: 'LIMIT' },
  ]) {
    const found = await read(accounts, lines);
    assert.equal(found.holdings, undefined);
    assert.deepEqual(found.balances, ['ira USD null', 'other USD 100'], 'keeps the cash that the response omits');
  }
  const partial = await read(accounts, [['other', 'usd', 100, 100]]);
  assert.equal(partial.holdings, undefined);
  assert.deepEqual(partial.balances, ['ira USD null', 'other USD 100']);
});

test('uses account values once when a connection offers no holdings', async () => {
  const accounts = [{ id: 'ira', type: 'investment', current: 7_200, available: 200 }];
  const found = await read(accounts, { status: 400, error_code: 'PRODUCTS_NOT_SUPPORTED' });
  assert.deepEqual(found.balances, ['ira USD 200']);
  assert.deepEqual(found.holdings, [['whole', null, '1', '7000']]);
});

test('reports a consent that ends within two weeks', async () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  for (const [days, isExpiring] of [
    [13, true],
    [15, false],
  ] as const) {
    const item = { error: null, consent_expiration_time: inDays(days) };
    assert.equal((await read([], [], item)).isExpiring, isExpiring);
  }
});
