import type { AccountBase, Holding, InvestmentsHoldingsGetResponse, Security } from 'plaid';
import type { ConnectedHolding } from '../../portfolio/accounts/contract.ts';

type HoldingsRows = Pick<InvestmentsHoldingsGetResponse, 'holdings' | 'securities'>;

/** Types with a share price in a catalog of stocks, funds and ETFs. */
const LISTED_TYPES: ReadonlySet<string> = new Set(['equity', 'etf', 'mutual fund']);

/**
 * Returns cash by currency of an investment account, whose balance includes its holdings: the cash lines, or without
 * such lines the amount that can be withdrawn. A money market fund is a holding. Returns null if the cash is currently
 * unknown.
 */
export function computeCash(
  account: AccountBase,
  currency: string,
  rows: HoldingsRows | undefined,
): Map<string, number | null> {
  const { available, current } = account.balances;
  const cash = new Map<string, number | null>([[currency, available]]);
  if (!rows) return cash;
  const byId = new Map(rows.securities.map((security) => [security.security_id, security]));
  const lines = rows.holdings.filter((row) => row.account_id === account.account_id);
  const cashLines = lines.filter((row) => isCash(byId.get(row.security_id)));
  const invested = lines.reduce((sum, row) => sum + row.institution_value, 0);
  // Some institutions report the whole value as available.
  const isHoldingsValueAvailable = invested > 0 && current !== null && available !== null && available >= current;
  const withdrawable = isHoldingsValueAvailable ? Math.max(0, current - invested) : (available ?? 0);
  cash.set(currency, cashLines.length > 0 ? 0 : withdrawable);
  for (const line of cashLines) {
    const lineCurrency = line.iso_currency_code ?? byId.get(line.security_id)?.iso_currency_code;
    if (lineCurrency) cash.set(lineCurrency, (cash.get(lineCurrency) ?? 0) + line.institution_value);
  }
  return cash;
}

const isCash = (security: Security | undefined): boolean => security?.type === 'cash';

/** Returns all holdings except cash, with lines of one security merged. */
export function readHoldings(
  accounts: readonly AccountBase[],
  { holdings, securities }: HoldingsRows,
): ConnectedHolding[] {
  const byId = new Map(securities.map((security) => [security.security_id, security]));
  const accountIds = new Set(accounts.map(({ account_id: id }) => id));
  const lines = holdings.filter((row) => accountIds.has(row.account_id) && !isCash(byId.get(row.security_id)));
  const groups = Map.groupBy(lines, (row) => `${row.account_id} ${row.security_id}`);
  return [...groups.values()].flatMap((rows) => toHoldings(rows, byId.get(rows[0]!.security_id)));
}

function toHoldings(rows: readonly Holding[], security: Security | undefined): ConnectedHolding[] {
  const [first] = rows as [Holding];
  const currency = first.iso_currency_code ?? security?.iso_currency_code;
  if (!currency) return [];
  const sum = (amounts: (number | null)[]): string | null => {
    const knownAmounts = amounts.filter((amount) => amount !== null);
    return knownAmounts.length === amounts.length
      ? String(knownAmounts.reduce((total, amount) => total + amount, 0))
      : null;
  };
  const quantity = sum(rows.map((row) => row.quantity))!;
  const ticker = security?.ticker_symbol ?? null;
  const isListed = ticker !== null && LISTED_TYPES.has(security?.type ?? '') && Number(quantity) > 0;
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
