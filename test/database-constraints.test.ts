import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from './support/database.ts';

/** Values that the tables reject from every role. The service validates them earlier; stored, they would do harm. */
let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await db.owner(`
    insert into public.all_users (idp_id) values ('user_a');
    insert into public.tracked_tickers_latest (symbol, asset_type, currency) values ('AAPL', 'stock', 'USD'),
      ('VFIAX', 'mutual_fund', 'USD'), ('US10Y', 'bond', 'USD');
    insert into public.accounts (idp_id, name) values ('user_a', 'Mine');
    insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity) select 'user_a', id, 'AAPL', 1
      from public.accounts;
    insert into public.watchlist_items (idp_id, symbol, position) values ('user_a', 'AAPL', 1);
    insert into public.dashboard_layouts (idp_id, cards) values ('user_a', '[]');
    insert into public.portfolio_settings (idp_id, base_currency) values ('user_a', 'USD');
    insert into public.net_worth_flows (idp_id, currency, amount) values ('user_a', 'USD', 1);
    insert into public.tracked_tickers_historical (ticker_id, d, close) select ticker_id, '2026-11-20', 1
      from public.tracked_tickers_latest`);
});
afterAll(() => db.drop());

interface Rule {
  table: string;
  column: string;
  where?: string;
  constraint: string;
  /** SQL of values at the edge of the allowed range and beyond. */
  allowed: readonly string[];
  forbidden: readonly string[];
}

const prices = ['current_price', 'prev_close', 'open', 'day_low', 'day_high', 'market_cap'].map((column): Rule => ({
  table: 'tracked_tickers_latest',
  column,
  where: `symbol = 'AAPL'`,
  constraint: `tracked_tickers_latest_${column}_check`,
  allowed: ['0', '1e15', 'null'],
  forbidden: [`'NaN'`, `'Infinity'`, '-0.01'],
}));
const changes = ['change_1d', 'change_amount'].map((column): Rule => ({
  table: 'tracked_tickers_latest',
  column,
  where: `symbol = 'AAPL'`,
  constraint: `tracked_tickers_latest_${column}_check`,
  allowed: ['-5', 'null'],
  forbidden: [`'NaN'`, `'-Infinity'`, `'Infinity'`],
}));
// Funds and bonds have no day change, since their price is daily.
const undatedRows = ['VFIAX', 'US10Y'].flatMap((symbol) =>
  ['change_1d', 'change_amount', 'prev_close'].map((column): Rule => ({
    table: 'tracked_tickers_latest',
    column,
    where: `symbol = '${symbol}'`,
    constraint: 'tracked_tickers_latest_check',
    allowed: ['null'],
    forbidden: ['0', '1.5'],
  })),
);

const rules: readonly Rule[] = [
  // A member may write this value, but no response can represent it.
  {
    table: 'watchlist_items',
    column: 'updated_at',
    constraint: 'watchlist_items_updated_at_finite',
    allowed: ['now()'],
    forbidden: [`'infinity'`, `'-infinity'`],
  },
  // NaN is greater than every number in PostgreSQL. A single NaN would turn a whole net worth into NaN.
  {
    table: 'manual_public_holdings',
    column: 'quantity',
    constraint: 'manual_public_holdings_quantity_check',
    allowed: ['1e12', '0.0000000001'],
    forbidden: [`'NaN'`, '1e12 + 1', '0', '-1'],
  },
  {
    table: 'manual_public_holdings',
    column: 'cost_basis',
    constraint: 'manual_public_holdings_cost_basis_check',
    allowed: ['0', '1e15', 'null'],
    forbidden: [`'NaN'`, '1e15 + 1', '-1'],
  },
  {
    table: 'accounts',
    column: 'balance',
    constraint: 'accounts_balance_check',
    allowed: ['1e15', '-1e15'],
    forbidden: [`'NaN'`, '1e15 + 1', '-1e15 - 1'],
  },
  {
    table: 'accounts',
    column: 'currency',
    constraint: 'accounts_currency_check',
    allowed: [`'EUR'`],
    forbidden: [`'eur'`, `'EURO'`, `''`],
  },
  {
    table: 'accounts',
    column: 'name',
    constraint: 'accounts_name_check',
    allowed: [`repeat('ä', 120)`],
    forbidden: [`''`, `repeat('a', 121)`],
  },
  {
    table: 'portfolio_settings',
    column: 'base_currency',
    constraint: 'portfolio_settings_base_currency_check',
    allowed: [`'EUR'`],
    forbidden: [`'eur'`, `'EURO'`, `''`],
  },
  {
    table: 'net_worth_flows',
    column: 'currency',
    constraint: 'net_worth_flows_currency_check',
    allowed: [`'EUR'`],
    forbidden: [`'eur'`, `''`],
  },
  {
    table: 'net_worth_flows',
    column: 'currency',
    constraint: 'net_worth_flows_valued',
    allowed: [`'EUR'`],
    forbidden: ['null'],
  },
  {
    table: 'dashboard_layouts',
    column: 'cards',
    constraint: 'dashboard_layouts_cards_check',
    // Two quotes and two brackets are added to the text. The limit counts bytes, not characters.
    allowed: [`jsonb_build_array(repeat('a', 3996))`],
    forbidden: [
      `jsonb_build_array(repeat('a', 3997))`,
      `jsonb_build_array(repeat('ä', 1999))`,
      `'{}'`,
      `'null'`,
      `'"[]"'`,
    ],
  },
  {
    table: 'watchlist_items',
    column: 'position',
    constraint: 'watchlist_items_position_check',
    allowed: ['1'],
    forbidden: ['0', '-1'],
  },
  {
    table: 'plans',
    column: 'watchlist_limit',
    where: `tier = 'free'`,
    constraint: 'plans_watchlist_limit_check',
    allowed: ['1'],
    forbidden: ['0', '-1'],
  },
  {
    table: 'tracked_tickers_latest',
    column: 'symbol',
    where: `symbol = 'US10Y'`,
    constraint: 'tracked_tickers_latest_symbol_check',
    allowed: [`'US10Y'`],
    forbidden: [`''`, `'us10y'`, `'A B'`, `'A''B'`, `repeat('A', 33)`],
  },
  {
    table: 'tracked_tickers_latest',
    column: 'logo',
    where: `symbol = 'AAPL'`,
    constraint: 'tracked_tickers_latest_logo_check',
    allowed: [`'https://example.com/a.png'`, `'/logos/a'`, 'null'],
    forbidden: [`'javascript:alert(1)'`, `'http://example.com/a.png'`, `'data:image/png,'`],
  },
  {
    table: 'tracked_tickers_historical',
    column: 'close',
    constraint: 'tracked_tickers_historical_close_check',
    allowed: ['0', '1e9'],
    forbidden: [`'NaN'`, `'Infinity'`, '-1'],
  },
  ...prices,
  ...changes,
  ...undatedRows,
];

for (const { table, column, where = 'true', constraint, allowed, forbidden } of rules) {
  test(`enforces ${constraint} on ${column} of ${table}${where === 'true' ? '' : ` where ${where}`}`, async () => {
    const write = (value: string) =>
      db.owner(`update public.${table} set ${column} = ${value} where ${where} returning 1`);
    for (const value of forbidden) await assert.rejects(write(value), { code: '23514', constraint }, value);
    for (const value of allowed) assert.notEqual((await write(value)).length, 0, value);
  });
}
