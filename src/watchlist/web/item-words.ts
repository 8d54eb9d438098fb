import type { AssetType, Watchlist } from '../contract.ts';

/** How a security is called in a sentence: by its name without its legal form, else by its symbol. */
export function shortName({ name, symbol }: { name: string | null; symbol: string }): string {
  if (name === null) return symbol;
  return (
    name.replace(/,? (?:inc|corp|corporation|co|company|ltd|limited|plc|n\.?v|s\.?a|ag|se|holdings?)\.?$/i, '') ||
    symbol
  );
}

/** How much of a plan is used; past it, after a smaller one was chosen, what is kept and what is shown. */
export function countWords({ item_count: count, limit }: Pick<Watchlist, 'item_count' | 'limit'>): string {
  return count > limit ? `${count} saved, ${limit} active` : `${count} of ${limit}`;
}

export const kindWords: Readonly<Record<AssetType, string>> = {
  stock: 'stock',
  etf: 'ETF',
  mutual_fund: 'mutual fund',
  bond: 'bond',
};
