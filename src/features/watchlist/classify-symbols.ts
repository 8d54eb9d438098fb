type SymbolClass = 'listing' | 'unknown' | 'unsupported' | 'over_limit' | 'not_looked_up';

/** Symbols that are looked up at a time, and in one import. */
const BATCH_SIZE = 8;
const MAX_LOOKUPS = 50;
/**
 * Milliseconds after which no more look-ups begin; those under way take 8 seconds at most, so the whole stays under 15.
 */
const LAST_BATCH_START_MS = 6_000;

/** What became of a look-up; `rate_limited`: the member has had too many for now. */
type LookupResult = { ok: true } | { ok: false; reason: 'unknown' | 'unsupported' | 'unavailable' | 'rate_limited' };

interface CatalogState {
  /** Symbols that are on the list, and those that the catalog knows. */
  watched: ReadonlySet<string>;
  inCatalog: ReadonlySet<string>;
  /** Rows that the list has left. */
  capacity: number;
}

/**
 * What each symbol is, in the list's order. A symbol that the catalog does not know is looked up only while there is
 * room for it; `undefined` where one cannot be looked up now.
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

  /** Looks up the symbols that wait; false where one cannot be looked up now. */
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
    // An earlier symbol has the room first, so it must be known which of them need it.
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
