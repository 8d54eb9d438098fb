import type { AccountBase, Holding, InvestmentsHoldingsGetResponse, Security } from 'plaid';
import type { ProviderHolding } from '../aggregator.ts';

type Rows = Pick<InvestmentsHoldingsGetResponse, 'holdings' | 'securities'>;

/** Kinds that a catalog of stocks, funds and ETFs prices by the share. */
const LISTED: ReadonlySet<string> = new Set(['equity', 'etf', 'mutual fund']);

/**
 * Cash of an account for investments, whose balance counts its holdings too: the lines that are cash, or what can be
 * withdrawn where there is none. A money market fund is a holding. Null where holdings were not read and that is not
 * told.
 */
export function cashOf({ account_id: id, balances }: AccountBase, rows: Rows | undefined): number | null {
  if (!rows) return balances.available;
  const byId = new Map(rows.securities.map((security) => [security.security_id, security]));
  const cash = rows.holdings.filter((row) => row.account_id === id && isCash(byId.get(row.security_id)));
  return cash.length > 0 ? cash.reduce((sum, row) => sum + row.institution_value, 0) : (balances.available ?? 0);
}

const isCash = (security: Security | undefined): boolean => security?.type === 'cash';

/** Everything but cash, lines of the same security in one. */
export function readHoldings(accounts: readonly AccountBase[], { holdings, securities }: Rows): ProviderHolding[] {
  const byId = new Map(securities.map((security) => [security.security_id, security]));
  const known = new Set(accounts.map(({ account_id: id }) => id));
  const lines = holdings.filter((row) => known.has(row.account_id) && !isCash(byId.get(row.security_id)));
  const groups = Map.groupBy(lines, (row) => `${row.account_id} ${row.security_id}`);
  return [...groups.values()].flatMap((rows) => present(rows, byId.get(rows[0]!.security_id)));
}

function present(rows: readonly Holding[], security: Security | undefined): ProviderHolding[] {
  const [first] = rows as [Holding];
  const currency = first.iso_currency_code ?? security?.iso_currency_code;
  if (!currency) return [];
  const sum = (amounts: (number | null)[]): string | null => {
    const known = amounts.filter((amount) => amount !== null);
    return known.length === amounts.length ? String(known.reduce((total, amount) => total + amount, 0)) : null;
  };
  const quantity = sum(rows.map((row) => row.quantity))!;
  const ticker = security?.ticker_symbol ?? null;
  const isListed = ticker !== null && LISTED.has(security?.type ?? '') && Number(quantity) > 0;
  const time = first.institution_price_datetime ?? first.institution_price_as_of;
  return [
    {
      accountId: first.account_id,
      externalId: first.security_id,
      symbol: isListed ? ticker : null,
      name: (security?.name ?? ticker ?? 'Unnamed holding').slice(0, 300) || 'Unnamed holding',
      quantity,
      costBasis: sum(rows.map((row) => row.cost_basis)),
      currency,
      value: sum(rows.map((row) => row.institution_value)),
      asOf: time ? new Date(time) : new Date(),
    },
  ];
}
