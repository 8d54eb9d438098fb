import { toIsin } from '../../../market-data/domain/bond-identifier.ts';
import { findFormerSymbol, normalizeSymbol } from '../../../market-data/domain/normalize-symbol.ts';
import { loadSpelling } from '../../../market-data/services/catalog/catalog-spelling.ts';
import type { ServiceSql } from '../../../platform/database/roles.ts';
import type { FilePosition } from './holdings-file.ts';
import { type Listing, readListings } from './queries.ts';

export type LookUpListing = (
  symbol: string,
) => Promise<
  | { ok: true; listing: Listing }
  | { ok: false; reason: 'unknown' | 'unsupported' | 'unavailable' | 'rate_limited'; retryAfter?: number | undefined }
>;

/** Listing of a position, or the reason why there is none. `other_currency`: an equal symbol names another listing. */
export type Resolution =
  | { kind: 'listing'; listing: Listing; renamedFrom: string | undefined; isCostComparable: boolean }
  | { kind: 'unknown' | 'unsupported' | 'not_looked_up' | 'other_currency' };

export type ResolvedPositions =
  | { ok: true; resolutions: ReadonlyMap<FilePosition, Resolution> }
  | { ok: false; retryAfter: number | undefined };

/** Number of concurrent look-ups, and the maximum of look-ups in one import. */
const BATCH_SIZE = 8;
const MAX_LOOKUPS = 50;
/** Time in ms after which no look-up starts. Running look-ups take at most 8 s, so the total stays below 15 s. */
const LAST_BATCH_START_MS = 6_000;

type LookupAnswer = { kind: 'listing'; listing: Listing } | { kind: 'unknown' | 'unsupported' };

/**
 * Finds the listing of each position in the catalog, by symbol, ISIN or CUSIP. Missing ones are looked up within a
 * limit of number and time. Fails if a look-up is unavailable.
 */
export async function resolvePositions(
  sql: ServiceSql,
  lookUp: LookUpListing,
  positions: readonly FilePosition[],
  getNow: () => number = () => performance.now(),
): Promise<ResolvedPositions> {
  const symbols = [...new Set(positions.flatMap(({ identifiers }) => identifiers.flatMap(toSymbol)))];
  const { toCatalogSymbol, existing } = await loadSpelling(sql, symbols);
  const listings = await readListings(sql, [...existing]);
  const answers = new Map<string, LookupAnswer>(
    [...listings].map(([symbol, listing]) => [symbol, { kind: 'listing', listing }]),
  );
  const resolve = (position: FilePosition): Resolution =>
    resolvePosition(position, (symbol) => answers.get(toCatalogSymbol(symbol)));

  const startedAt = getNow();
  let lookupCount = 0;
  // An unknown symbol is looked up first, then its ISIN.
  for (const place of [0, 1]) {
    const unresolved = positions.filter((position) => resolve(position).kind !== 'listing');
    const pending = unresolved.flatMap(({ identifiers }) => toSymbol(identifiers[place] ?? '').map(toCatalogSymbol));
    const missing = [...new Set(pending)].filter((symbol) => !answers.has(symbol)).slice(0, MAX_LOOKUPS - lookupCount);
    lookupCount += missing.length;
    for (let start = 0; start < missing.length && getNow() - startedAt < LAST_BATCH_START_MS; start += BATCH_SIZE) {
      const batch = missing.slice(start, start + BATCH_SIZE);
      const results = await Promise.all(batch.map(lookUp));
      for (const [index, result] of results.entries()) {
        if (result.ok) answers.set(batch[index]!, { kind: 'listing', listing: result.listing });
        else if (result.reason === 'unavailable') return { ok: false, retryAfter: result.retryAfter };
        else if (result.reason !== 'rate_limited') answers.set(batch[index]!, { kind: result.reason });
      }
    }
  }
  return { ok: true, resolutions: new Map(positions.map((position) => [position, resolve(position)])) };
}

const toSymbol = (identifier: string): string[] => {
  const symbol = normalizeSymbol(identifier);
  return symbol === undefined ? [] : [symbol];
};

/** Returns the first listing among a position's identifiers in its currency. An ISIN counts in every currency. */
function resolvePosition(
  { identifiers, currency }: FilePosition,
  findAnswer: (symbol: string) => LookupAnswer | undefined,
): Resolution {
  let failure: Resolution = { kind: 'unknown' };
  for (const identifier of identifiers) {
    const [symbol] = toSymbol(identifier);
    if (symbol === undefined) continue;
    const answer = findAnswer(symbol);
    if (answer?.kind !== 'listing') {
      if (failure.kind === 'unknown') failure = { kind: answer?.kind ?? 'not_looked_up' };
      continue;
    }
    const { listing } = answer;
    const isCostComparable = currency === null || listing.currency === null || listing.currency === currency;
    if (isCostComparable || toIsin(symbol) !== undefined)
      return { kind: 'listing', listing, renamedFrom: findFormerSymbol(identifier, listing.symbol), isCostComparable };
    failure = { kind: 'other_currency' };
  }
  return failure;
}
