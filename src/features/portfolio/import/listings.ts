import type { AssetType } from '../../../market-data/contract.ts';

/** Listing of the catalog. */
export interface Listing {
  symbol: string;
  name: string | null;
  currency: string | null;
  asset_type: AssetType;
  /** Null if it is unknown. */
  isin?: string | null;
}

export type LookUpListing = (
  symbol: string,
) => Promise<
  | { ok: true; listing: Listing }
  | { ok: false; reason: 'unknown' | 'unsupported' | 'unavailable' | 'rate_limited'; retryAfter?: number | undefined }
>;

/** Searches listings by symbol or ISIN, in the catalog and at the providers. Returns none beyond the member's limit. */
export type SearchListings = (text: string) => Promise<readonly Listing[]>;
