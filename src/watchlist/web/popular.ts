import type { Security } from './changed-list.ts';

interface SecurityGroup {
  label: string;
  results: readonly (Security & { exchange?: string | null })[];
}

/**
 * What a new list offers first: six that most people know. Their logos stand where the rows will have theirs: the
 * registry's, else the issuer's badge; where the address has no picture, letters.
 */
const popularSix: readonly Security[] = (
  [
    ['AAPL', 'Apple Inc.', 'stock'],
    ['MSFT', 'Microsoft Corporation', 'stock'],
    ['NVDA', 'NVIDIA Corporation', 'stock'],
    ['AMZN', 'Amazon.com, Inc.', 'stock'],
    ['GOOGL', 'Alphabet Inc.', 'stock'],
    ['VOO', 'Vanguard S&P 500 ETF', 'etf'],
  ] as const
).map(([symbol, name, assetType]) => ({
  symbol,
  name,
  asset_type: assetType,
  currency: 'USD',
  logo: `/api/logos/registry/${symbol}`,
}));

/** They stand where results will stand, as long as nothing is searched for. */
export const popularGroups: readonly SecurityGroup[] = [{ label: 'Popular', results: popularSix }];
