import type { AssetType } from '../../market-data/contract.ts';
import type { Explanation } from './contract.ts';

export type Term = Explanation['terms'][number];
export type Excluded = Explanation['excluded'][number];

/** Returns a term with null for every field that is unknown or does not apply. */
export const createTerm = (term: Pick<Term, 'label' | 'amount' | 'currency'> & Partial<Term>): Term => ({
  quantity: null,
  price: null,
  price_at: null,
  source: null,
  rate: null,
  rate_date: null,
  ...term,
});

/** Names a holding with its account and what its price is, if it is no amount of the figure's currency. */
export function formatHoldingLabel(
  { name, account, assetType }: { name: string; account: string; assetType: AssetType | null },
  priceCurrency: string | null = null,
): string {
  const priceUnits = [priceCurrency, assetType === 'bond' ? '% of par' : null].filter((unit) => unit !== null);
  const holding = `${name} in ${account}`;
  return priceUnits.length === 0 ? holding : `${holding} (${priceUnits.join(', ')})`;
}

/** Names the cash of an account, with its currency if the figure is in another. */
export const formatCashLabel = (account: string, currency: string | null = null): string =>
  currency === null ? `Cash in ${account}` : `Cash in ${account} (${currency})`;
