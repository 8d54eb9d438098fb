import type { Listing } from './listings.ts';
import type { Candidate, LookupAnswer, Security } from './read-securities.ts';

/** A listing that a candidate names, or the reason why there is none. `isFinal`: false if a search may find a better one. */
export type Match =
  | { kind: 'listing'; listing: Listing; candidate: Pick<Candidate, 'text' | 'kind'>; isFinal: boolean }
  | { kind: 'unknown' | 'unsupported' | 'not_looked_up' | 'other_currency'; isFinal: false };

/** Matches a security with the best listing that its candidates have, else with `found`, a listing found in another way. */
export function matchSecurity(
  { candidates, isin, currency }: Security,
  answers: ReadonlyMap<string, LookupAnswer>,
  found: Listing | undefined,
): Match {
  let failure: Match = { kind: 'unknown', isFinal: false };
  /** Listing of the ISIN in another currency, or of a symbol whose ISIN is not known yet. */
  let fallback: Match | undefined;
  for (const candidate of candidates) {
    const { symbol, kind } = candidate;
    const answer = answers.get(symbol);
    if (answer?.kind !== 'listings') {
      if (failure.kind === 'unknown') failure = { kind: answer?.kind ?? 'not_looked_up', isFinal: false };
      continue;
    }
    const isIdentified = kind === 'isin' || kind === 'choice' || isin === undefined;
    const listings = answer.listings.filter((listing) => isIdentified || fitsIsin(listing, isin));
    const listing = listings.find((other) => isIn(other, currency)) ?? listings[0];
    if (!listing) continue;
    const isInCurrency = isIn(listing, currency);
    // Without a currency, another company may have the symbol while the ISIN of the listing is not known.
    const isProven = isIdentified || currency !== null || listing.isin === isin;
    if ((isInCurrency && isProven) || kind === 'at_exchange' || kind === 'choice')
      return { kind: 'listing', listing, candidate, isFinal: true };
    if (isInCurrency || kind === 'isin') fallback ??= { kind: 'listing', listing, candidate, isFinal: false };
    failure = { kind: 'other_currency', isFinal: false };
  }
  if (found)
    return { kind: 'listing', listing: found, candidate: { text: found.symbol, kind: 'symbol' }, isFinal: true };
  return fallback ?? failure;
}

/** Returns whether a listing may be in the currency of the file. Either may be unknown. */
export const isIn = ({ currency }: Pick<Listing, 'currency'>, fileCurrency: string | null): boolean =>
  fileCurrency === null || currency === null || currency === fileCurrency;

/** Returns whether the listing may have the ISIN of the file. Either may be unknown. */
export const fitsIsin = (listing: Listing, isin: string | undefined): boolean =>
  isin === undefined || (listing.isin ?? isin) === isin;
