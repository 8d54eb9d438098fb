import type { AssetType, ListState, WatchlistItem } from '../../contract.ts';

/** Words that are nothing but a legal form; "Company", "& Co." and "Holdings" belong to the name itself. */
const LEGAL_FORM = /(?<! (?:&|and)),? (?:inc|corp|corporation|ltd|limited|plc|n\.?v|s\.?a|ag|se)\.?$/i;

/** How a security is called in a sentence: by its name without its legal form, else by its symbol. */
export const formatShortName = ({ name, symbol }: { name: string | null; symbol: string }): string =>
  name?.replace(LEGAL_FORM, '') || symbol;

/** How much of a plan is used; past it, after a smaller one was chosen, what is kept and what is shown. */
export function formatListCount({ item_count: count, limit }: ListState): string {
  return count > limit ? `${count} saved, ${limit} active` : `${count} of ${limit}`;
}

const MAX_SHORT_LIST_ITEMS = 5;

/** Whether a row for adding stands under the list: up to five tickers, room under the plan, nothing locked. */
export const isShortList = ({ item_count: count, limit, locked_count: locked }: ListState): boolean =>
  count <= MAX_SHORT_LIST_ITEMS && count < limit && locked === 0;

export const assetTypeLabels: Readonly<Record<AssetType, string>> = {
  stock: 'stock',
  etf: 'ETF',
  mutual_fund: 'mutual fund',
  bond: 'bond',
};

/** What the id of a row begins with as long as the service has not taken it. */
export const PENDING_ID_PREFIX = 'pending:';

/** Whether a row still waits for the service to take it. */
export const isPending = ({ id }: Pick<WatchlistItem, 'id'>): boolean => id.startsWith(PENDING_ID_PREFIX);

/** Where the browser keeps what was added offline. */
export const OFFLINE_ADDS_KEY = 'tally.kept-adds';
