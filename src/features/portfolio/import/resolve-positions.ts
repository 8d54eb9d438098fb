import { findFormerSymbol } from '../../../market-data/domain/normalize-symbol.ts';
import type { ServiceSql } from '../../../platform/database/roles.ts';
import { forEachInSlices, mapInSlices } from '../../../platform/fairness/in-slices.ts';
import { HOLDING_LIMIT } from '../holdings/contract.ts';
import { chooseByName, readListingsElsewhere, searchInCurrency } from './find-elsewhere.ts';
import type { FilePosition } from './holdings-file.ts';
import type { Listing, LookUpListing, SearchListings } from './listings.ts';
import { isIn, type Match, matchSecurity } from './match-security.ts';
import { readSecurities, type Security } from './read-securities.ts';

interface ResolveDependencies {
  sql: ServiceSql;
  lookUp: LookUpListing;
  search: SearchListings;
  getNow?: () => number;
}

/** Listing of a position, or the reason why there is none. `other_currency`: an equal symbol names another listing. */
export type Resolution =
  | {
      kind: 'listing';
      listing: Listing;
      renamedFrom: string | undefined;
      /** Whether the cost of the file is in the listing's currency. */
      isCostComparable: boolean;
      /** Whether the member chose the listing. */
      isChosen: boolean;
    }
  | { kind: Exclude<Match['kind'], 'listing'> };

export type ResolvedPositions =
  | { ok: true; resolutions: ReadonlyMap<FilePosition, Resolution> }
  | { ok: false; retryAfter: number | undefined };

/** Number of concurrent look-ups, and the maximum of look-ups and searches in one import. */
const BATCH_SIZE = 8;
const MAX_LOOKUPS = 50;
/** Time in ms after which no look-up starts. Running look-ups take at most 8 s, so the total stays below 15 s. */
const LAST_BATCH_START_MS = 6_000;

/**
 * Finds the listing of each position by ISIN or CUSIP, else by symbol. Exchange and currency choose among several
 * listings. What the catalog lacks is looked up within a limit of number and time. A position without a listing gets the
 * member's choice for its search text, from `choices`. Fails if a look-up is unavailable.
 */
export async function resolvePositions(
  { sql, lookUp, search, getNow = () => performance.now() }: ResolveDependencies,
  positions: readonly FilePosition[],
  choices: ReadonlyMap<string, string>,
): Promise<ResolvedPositions> {
  const { positionsBySecurity, answers } = await readSecurities(sql, positions, choices);
  /** Listings found by the symbol at other exchanges, or by a search. */
  const found = new Map<Security, Listing>();
  const match = (security: Security): Match => matchSecurity(security, answers, found.get(security));
  const isOpen = (security: Security): boolean => !match(security).isFinal;
  // A member cannot hold more securities.
  const open = (await mapInSlices(positionsBySecurity.keys(), (security) => (isOpen(security) ? security : [])))
    .flat()
    .slice(0, HOLDING_LIMIT);

  const elsewhere = await readListingsElsewhere(sql, open);
  await forEachInSlices(elsewhere, ([security, listings]) => {
    const listing = chooseByName(security, listings);
    if (listing) found.set(security, listing);
  });

  const runInBatches = createBatches(getNow);
  let unavailable: { retryAfter: number | undefined } | undefined;
  // A choice needs no other look-up. Then the most reliable candidate of each security comes first.
  for (const place of [-1, 0, 1, 2]) {
    const pending = open.filter(isOpen).flatMap(({ candidates }) => candidates.at(place) ?? []);
    const symbols = new Set(
      pending.filter(({ kind }) => (kind === 'choice') === place < 0).map(({ symbol }) => symbol),
    );
    const missing = [...symbols].filter((symbol) => !answers.has(symbol));
    await runInBatches(missing, async (symbol) => {
      const result = await lookUp(symbol);
      if (result.ok) answers.set(symbol, { kind: 'listings', listings: [result.listing] });
      else if (result.reason === 'unavailable') unavailable = { retryAfter: result.retryAfter };
      else if (result.reason !== 'rate_limited') answers.set(symbol, { kind: result.reason });
    });
    if (unavailable) return { ok: false, ...unavailable };
  }
  const searched = open
    .filter(isOpen)
    .filter(({ isin, symbol, currency }) => currency !== null && (isin ?? symbol) !== undefined);
  await runInBatches(searched, async (security) => {
    const known = elsewhere.get(security) ?? [];
    const listing = await searchInCurrency(security, search, known);
    if (!listing) return;
    // A hit of a provider is looked up, which registers it.
    const result = known.includes(listing) ? { ok: true as const, listing } : await lookUp(listing.symbol);
    if (result.ok && result.listing.currency === security.currency) found.set(security, result.listing);
  });
  const resolutions = new Map<FilePosition, Resolution>();
  await forEachInSlices(positionsBySecurity, ([security, group]) => {
    const resolution = toResolution(group[0]!, match(security));
    for (const position of group) resolutions.set(position, resolution);
  });
  return { ok: true, resolutions };
}

/** Returns a function that runs look-ups or searches in batches, within the limits of number and time together. */
function createBatches(
  getNow: () => number,
): <Item>(items: readonly Item[], run: (item: Item) => Promise<void>) => Promise<void> {
  const startedAt = getNow();
  let count = 0;
  return async (items, run) => {
    const allowed = items.slice(0, MAX_LOOKUPS - count);
    count += allowed.length;
    for (let start = 0; start < allowed.length && getNow() - startedAt < LAST_BATCH_START_MS; start += BATCH_SIZE)
      await Promise.all(allowed.slice(start, start + BATCH_SIZE).map(run));
  };
}

/** Returns the resolution of all positions of a security, which have one currency. */
function toResolution({ currency }: FilePosition, match: Match): Resolution {
  if (match.kind !== 'listing') return { kind: match.kind };
  const { listing, candidate } = match;
  return {
    kind: 'listing',
    listing,
    renamedFrom: findFormerSymbol(candidate.text, listing.symbol),
    isCostComparable: isIn(listing, currency),
    isChosen: candidate.kind === 'choice',
  };
}
