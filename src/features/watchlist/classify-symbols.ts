type SymbolClass = 'listing' | 'unknown' | 'unsupported' | 'over_limit' | 'not_looked_up';

/** Number of concurrent look-ups, and the maximum of look-ups in one import. */
const BATCH_SIZE = 8;
const MAX_LOOKUPS = 50;
/** Time in ms after which no look-up starts. Running look-ups take at most 8 s, so the total stays below 15 s. */
const LAST_BATCH_START_MS = 6_000;

/** Result of a look-up. `rate_limited`: the member has reached the look-up limit. */
type LookupResult = { ok: true } | { ok: false; reason: 'unknown' | 'unsupported' | 'unavailable' | 'rate_limited' };

interface CatalogState {
  /** Symbols on the list, and symbols in the catalog. */
  watched: ReadonlySet<string>;
  inCatalog: ReadonlySet<string>;
  /** Free rows of the list. */
  capacity: number;
}

/**
 * Classifies each symbol, in list order. Symbols that are not in the catalog are looked up only while the list has
 * room. Returns undefined if a look-up is unavailable.
 */
export async function classifySymbols(
  lookUp: (symbol: string) => Promise<LookupResult>,
  symbols: readonly string[],
  { watched, inCatalog, capacity }: CatalogState,
  getNow: () => number = () => performance.now(),
): Promise<Map<string, SymbolClass> | undefined> {
  const classBySymbol = new Map<string, SymbolClass>();
  const startedAt = getNow();
  let remainingCapacity = capacity;
  let lookupCount = 0;
  let pendingSymbols: string[] = [];

  /** Looks up the pending symbols. Returns false if a look-up is unavailable. */
  const lookUpPending = async (): Promise<boolean> => {
    const batch = getNow() - startedAt < LAST_BATCH_START_MS ? pendingSymbols.slice(0, MAX_LOOKUPS - lookupCount) : [];
    for (const symbol of pendingSymbols) classBySymbol.set(symbol, 'not_looked_up');
    pendingSymbols = [];
    lookupCount += batch.length;
    const results = await Promise.all(batch.map(lookUp));
    for (const [index, result] of results.entries()) {
      if (result.ok) {
        classBySymbol.set(batch[index]!, 'listing');
        remainingCapacity -= 1;
      } else if (result.reason === 'unavailable') return false;
      else if (result.reason !== 'rate_limited') classBySymbol.set(batch[index]!, result.reason);
    }
    return true;
  };

  for (const symbol of symbols) {
    // Earlier symbols fill the free rows first, so their look-ups must finish before the next symbol is classified.
    if (
      pendingSymbols.length > 0 &&
      (pendingSymbols.length >= remainingCapacity || pendingSymbols.length === BATCH_SIZE) &&
      !(await lookUpPending())
    )
      return undefined;
    if (watched.has(symbol)) classBySymbol.set(symbol, 'listing');
    else if (inCatalog.has(symbol)) {
      classBySymbol.set(symbol, 'listing');
      remainingCapacity = Math.max(0, remainingCapacity - 1);
    } else if (remainingCapacity <= 0) classBySymbol.set(symbol, 'over_limit');
    else pendingSymbols.push(symbol);
  }
  return pendingSymbols.length === 0 || (await lookUpPending()) ? classBySymbol : undefined;
}
