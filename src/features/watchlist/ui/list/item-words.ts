import type { AssetType, ListState, WatchlistItem } from '../../contract.ts';

/** Words that are nothing but a legal form; "Company", "& Co." and "Holdings" belong to the name itself. */
const LEGAL_FORM = /(?<! (?:&|and)),? (?:inc|corp|corporation|ltd|limited|plc|n\.?v|s\.?a|ag|se)\.?$/i;

/** How a security is called in a sentence: by its name without its legal form, else by its symbol. */
export const shortName = ({ name, symbol }: { name: string | null; symbol: string }): string =>
  name?.replace(LEGAL_FORM, '') || symbol;

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
export const OFFLINE_ADDS_KEY = 'tally.kept-adds';
