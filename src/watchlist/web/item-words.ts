import type { AssetType } from '../contract.ts';

/** How a security is called in a sentence: by its name without its legal form, else by its symbol. */
export function shortName({ name, symbol }: { name: string | null; symbol: string }): string {
  if (name === null) return symbol;
  return (
    name.replace(/,? (?:inc|corp|corporation|co|company|ltd|limited|plc|n\.?v|s\.?a|ag|se|holdings?)\.?$/i, '') ||
    symbol
  );
}

export const kindWords: Readonly<Record<AssetType, string>> = {
  stock: 'stock',
  etf: 'ETF',
  mutual_fund: 'mutual fund',
  bond: 'bond',
};
