import type { AssetType } from '../../../../market-data/contract.ts';

/** Matches words that are only a legal form. "Company", "& Co." and "Holdings" belong to the name. */
const LEGAL_FORM = /(?<! (?:&|and)),? (?:inc|corp|corporation|ltd|limited|plc|n\.?v|s\.?a|ag|se)\.?$/i;

/** Returns the short name of a security for sentences: the name without its legal form, or else the symbol. */
export const formatShortName = ({ name, symbol }: { name: string | null; symbol: string }): string =>
  name?.replace(LEGAL_FORM, '') || symbol;

export const assetTypeLabels: Readonly<Record<AssetType, string>> = {
  stock: 'stock',
  etf: 'ETF',
  mutual_fund: 'mutual fund',
  bond: 'bond',
};
