import type { AssetType } from '../../../market-data/contract.ts';
import type { Explanation } from './contract.ts';

export type Term = Explanation['terms'][number];
export type Excluded = Explanation['excluded'][number];

/** Returns a term with null for every field that is unknown or does not apply. Without conversion both currencies agree. */
export const createTerm = (term: Pick<Term, 'label' | 'amount' | 'currency'> & Partial<Term>): Term => ({
  quantity: null,
  price: null,
  price_currency: term.currency,
  price_unit: null,
  price_at: null,
  source: null,
  rate: null,
  rate_date: null,
  ...term,
});

/** Returns a price with its unit. A missing price has none. */
export const createPrice = (price: number | null, assetType: AssetType | null): Pick<Term, 'price' | 'price_unit'> => ({
  price,
  price_unit: price === null ? null : getPriceUnit(assetType),
});

const getPriceUnit = (assetType: AssetType | null) =>
  assetType === 'bond' ? ('percent_of_par' as const) : ('currency' as const);

/** Names a holding with its account. */
export const formatHoldingLabel = (name: string, account: string): string => `${name} in ${account}`;

/** Names the cash of an account. */
export const formatCashLabel = (account: string): string => `Cash in ${account}`;
