import { randomUUID } from 'node:crypto';
import type { TestDatabase } from '../database.ts';
import { addDays } from './compute-figures.ts';

type Random = (below: number) => number;

/** Listings of this test: without a price, without a previous close, of less than a cent, of many digits. */
const ownListings = [
  { symbol: 'NOPRICE', currency: 'USD', price: null, previous: null },
  { symbol: 'NOCLOSE', currency: 'EUR', price: 7.7653, previous: null },
  { symbol: 'TINY', currency: 'USD', price: 0.00321, previous: 0.00333 },
  { symbol: 'YEN', currency: 'JPY', price: 2_761.5, previous: 2_790 },
  { symbol: 'EURO', currency: 'EUR', price: 46.4785, previous: 46.1 },
  { symbol: 'FLAT', currency: 'CHF', price: 101.25, previous: 101.25 },
  { symbol: 'DOLLAR', currency: 'TWD', price: 588, previous: 590.5 },
] as const;

const catalog = ['AAPL', 'MSFT', 'NVDA', 'COST', 'KO', 'JPM', 'VOO', 'SPY', 'VTI', 'VOD.L', 'HSBA.L', 'VTSAX', 'FXAIX'];
const bonds = ['912810TX6', '91282CHT1'];
const currencies = ['USD', 'USD', 'USD', 'EUR', 'GBP', 'JPY', 'CHF', 'TWD'];
const bases = ['USD', 'USD', 'EUR', 'GBP', 'JPY', 'CHF'];
const names = ['Brokerage', 'Savings', 'Retirement', 'Checking', 'Card', 'Depot'];
const unlisted = ['AAPL call, January', 'Bitcoin', 'Short position', 'Private fund'];

/** Inserts the listings of this test. Safe to repeat. */
export async function insertOwnListings(database: TestDatabase): Promise<void> {
  for (const { symbol, currency, price, previous } of ownListings) {
    // Without the noise of floating point, as in the catalog.
    const change = price === null || previous === null ? null : Number((price - previous).toPrecision(12));
    await database.owner(
      `insert into public.tracked_tickers_latest (symbol, asset_type, name, currency, current_price, prev_close,
         change_amount, change_1d, price_at)
       values ($1, 'stock', $2, $3, $4, $5, $6, $7, case when $4::float8 is null then null else now() end)
       on conflict (symbol) do nothing`,
      [
        symbol,
        `Walk ${symbol.toLowerCase()}`,
        currency,
        price,
        previous,
        change,
        change === null ? null : Number(((100 * change) / previous!).toFixed(4)),
      ],
    );
  }
}

/** Gives a member random accounts, holdings, a history with gaps, and flows. `today` is New York's date. */
export async function insertRandomPortfolio(
  database: TestDatabase,
  idpId: string,
  random: Random,
  today: string,
): Promise<void> {
  const pick = <Value>(values: readonly Value[]): Value => values[random(values.length)]!;
  const isOneIn = (number: number): boolean => random(number) === 0;
  const amount = (below: number, decimals: number): number =>
    Number((random(below * 10 ** Math.min(decimals, 4)) / 10 ** Math.min(decimals, 4)).toFixed(decimals));
  if (!isOneIn(4))
    await database.owner('insert into public.portfolio_settings (idp_id, base_currency) values ($1, $2)', [
      idpId,
      pick(bases),
    ]);
  const accounts = names.slice(0, 1 + random(names.length)).map((name, index) => ({
    id: randomUUID(),
    name,
    kind: isOneIn(3) ? pick(['bank', 'brokerage']) : 'manual',
    currency: pick(currencies),
    balance: isOneIn(4) ? 0 : (isOneIn(5) ? -1 : 1) * amount(40_000, pick([2, 2, 4])),
    position: index,
  }));
  for (const { id, name, kind, currency, balance, position } of accounts)
    await database.owner(
      `insert into public.accounts (idp_id, id, name, kind, currency, balance, created_at)
       values ($1, $2, $3, $4, $5, $6, now() - interval '500 days' + $7 * interval '1 day')`,
      [idpId, id, name, kind, currency, balance, position],
    );
  const held = new Set<string>();
  for (let index = random(14); index > 0; index -= 1) {
    const account = pick(accounts);
    const quantity = Math.max(0.0001, amount(isOneIn(5) ? 4_000 : 90, pick([0, 0, 2, 4])));
    const paid = isOneIn(10) ? 0 : amount(20_000, 2);
    const cost = isOneIn(4) ? null : paid;
    if (account.kind !== 'manual' && isOneIn(2)) {
      const name = `${pick(unlisted)} (${account.name})`;
      if (held.has(account.id + name)) continue;
      held.add(account.id + name);
      await database.owner(
        `insert into public.connected_holdings (idp_id, account_id, external_id, name, quantity, cost_basis, currency,
           institution_value) values ($1, $2, $3, $3, $4, $5, $6, $7)`,
        [
          idpId,
          account.id,
          name,
          name.startsWith('Short') ? -quantity : quantity,
          cost,
          pick(currencies),
          isOneIn(6) ? null : (name.startsWith('Short') ? -1 : 1) * amount(9_000, 2),
        ],
      );
      continue;
    }
    const symbol = pick([...catalog, ...catalog, ...bonds, ...ownListings.map((listing) => listing.symbol)]);
    if (held.has(account.id + symbol)) continue;
    held.add(account.id + symbol);
    const isBond = bonds.includes(symbol);
    const size = isBond ? 1_000 * (1 + random(20)) : quantity;
    if (account.kind === 'manual')
      await database.owner(
        `insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity, cost_basis)
         values ($1, $2, $3, $4, $5)`,
        [idpId, account.id, symbol, size, cost],
      );
    else
      await database.owner(
        `insert into public.connected_holdings (idp_id, account_id, external_id, symbol, name, quantity, cost_basis,
           currency, institution_value)
         select $1, $2, $3::text, $3::text, coalesce(t.name, t.symbol), $4, $5, t.currency, $6
           from public.tracked_tickers_latest t where t.symbol = $3`,
        [idpId, account.id, symbol, size, cost, isOneIn(3) ? amount(9_000, 2) : null],
      );
  }
  await insertHistory(database, idpId, random, today);
}

/** Inserts snapshots near the current amounts, with missing days and currencies, and flows of some days. */
async function insertHistory(database: TestDatabase, idpId: string, random: Random, today: string): Promise<void> {
  const isOneIn = (number: number): boolean => random(number) === 0;
  if (isOneIn(10)) return;
  const current = await database.owner<{ currency: string; cash: number; investments: number }>(
    `select p.currency, sum(p.cash)::float8 as cash, sum(p.investments)::float8 as investments from (
       select a.currency, a.balance as cash, 0 as investments from public.accounts a where a.idp_id = $1
       union all
       select t.currency, 0, h.quantity * t.current_price::numeric / case t.asset_type when 'bond' then 100 else 1 end
         from public.held_positions h join public.tracked_tickers_latest t on t.symbol = h.symbol
        where h.idp_id = $1 and t.current_price is not null
       union all
       select c.currency, 0, c.institution_value from public.connected_holdings c
        where c.idp_id = $1 and c.symbol is null and c.institution_value is not null) p
      group by p.currency order by p.currency`,
    [idpId],
  );
  const former = isOneIn(4) ? [{ currency: 'SEK', cash: 900, investments: 0 }] : [];
  const length = 1 + random(isOneIn(2) ? 12 : 395);
  const snapshots: object[] = [];
  const flows: object[] = [];
  for (let daysAgo = length; daysAgo >= 0; daysAgo -= 1) {
    const date = addDays(today, -daysAgo);
    if (daysAgo === 0 && !isOneIn(4)) continue;
    if (isOneIn(9)) continue;
    for (const { currency, cash, investments } of [...current, ...(daysAgo > length / 2 ? former : [])]) {
      if (isOneIn(60)) continue;
      const factor = 0.8 + random(4_000) / 10_000;
      snapshots.push({
        date,
        currency,
        cash: Number((cash * (isOneIn(3) ? factor : 1)).toFixed(4)),
        investments: Number((investments * factor).toFixed(4)),
      });
      if (isOneIn(12))
        flows.push({ date: daysAgo === 0 ? null : date, currency, amount: (random(2_000_000) - 800_000) / 100 });
    }
  }
  const [first] = current;
  if (first && isOneIn(2)) flows.push({ date: null, currency: first.currency, amount: random(90_000) / 100 });
  if (isOneIn(4)) flows.push({ date: null, symbol: isOneIn(2) ? 'NOPRICE' : 'EURO', quantity: 1 + random(30) });
  await database.owner(
    `insert into public.net_worth_snapshots (idp_id, d, currency, cash, investments)
     select $1, s.date, s.currency, s.cash, s.investments
       from jsonb_to_recordset($2::jsonb) as s (date date, currency text, cash numeric, investments numeric)`,
    [idpId, JSON.stringify(snapshots)],
  );
  await database.owner(
    `insert into public.net_worth_flows (idp_id, d, currency, amount, symbol, quantity)
     select $1, f.date, f.currency, f.amount, f.symbol, f.quantity
       from jsonb_to_recordset($2::jsonb)
         as f (date date, currency text, amount numeric, symbol text, quantity numeric)`,
    [idpId, JSON.stringify(flows)],
  );
}
