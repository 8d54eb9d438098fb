import type { AssetType, ListState, WatchlistItem } from '../contract.ts';

/** How a security is called in a sentence: by its name without its legal form, else by its symbol. */
export function shortName({ name, symbol }: { name: string | null; symbol: string }): string {
  if (name === null) return symbol;
  return (
    name.replace(/,? (?:inc|corp|corporation|co|company|ltd|limited|plc|n\.?v|s\.?a|ag|se|holdings?)\.?$/i, '') ||
    symbol
  );
}

/** How much of a plan is used; past it, after a smaller one was chosen, what is kept and what is shown. */
export function countWords({ item_count: count, limit }: ListState): string {
  return count > limit ? `${count} saved, ${limit} active` : `${count} of ${limit}`;
}

const SHORT = 5;

/** Whether a row for adding stands under the list: up to five tickers, room under the plan, nothing locked. */
export const isShort = ({ item_count: count, limit, locked_count: locked }: ListState): boolean =>
  count <= SHORT && count < limit && locked === 0;

export const kindWords: Readonly<Record<AssetType, string>> = {
  stock: 'stock',
  etf: 'ETF',
  mutual_fund: 'mutual fund',
  bond: 'bond',
};

/** What the id of a row begins with as long as the service has not taken it. */
export const PENDING = 'pending:';

/** Whether a row still waits for the service to take it. */
export const isPending = ({ id }: Pick<WatchlistItem, 'id'>): boolean => id.startsWith(PENDING);

/** Where the browser keeps what was added offline. */
export const KEPT = 'tally.kept-adds';
