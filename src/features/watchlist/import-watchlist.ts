import type { ServiceSql } from '../../platform/database/roles.ts';
import { countSeparators } from '../../platform/http/parse-csv.ts';
import { loadSpelling } from '../../market-data/services/catalog/catalog-spelling.ts';
import { findFormerSymbol } from '../../market-data/domain/normalize-symbol.ts';
import { captureChange } from './capture-event.ts';
import { type ChangeContext, runAsMemberAndService } from './context.ts';
import type { ImportResponse } from './contract.ts';
import { classifySymbols } from './classify-symbols.ts';
import { parseImport } from './parse-import.ts';
import { addItems, countItems, selectSymbols } from './queries.ts';

/** Maximum symbols, entries and bytes of one import. A symbol may occur several times, and every entry has a result. */
const MAX_IMPORT_SYMBOLS = 500;
const MAX_IMPORT_ENTRIES = 5000;
/** Maximum number of separators and line breaks, since the service answers nobody while it parses a list. */
const MAX_IMPORT_CELLS = 20_000;
export const MAX_IMPORT_BYTES = 64 * 1024;

export type ImportResult =
  | { ok: true; rows: ImportResponse['rows']; added: string[] }
  | { ok: false; reason: 'too_large' | 'tier_unavailable' }
  | { ok: false; reason: 'unavailable'; retryAfter: number | undefined }
  | { ok: false; reason: 'too_many'; unit: 'symbols' | 'entries' | 'cells'; count: number; max: number };

/**
 * Adds a pasted list in one transaction and returns the result of each entry. A dry run returns the results without any
 * change. Symbols that are not in the catalog are looked up first while the list has room. If a look-up is unavailable,
 * nothing is added.
 */
export async function importWatchlist(
  context: ChangeContext,
  text: string,
  { dryRun }: { dryRun: boolean },
): Promise<ImportResult> {
  const { deps, member, sql } = context;
  if (Buffer.byteLength(text) > MAX_IMPORT_BYTES) return { ok: false, reason: 'too_large' };
  const cells = countSeparators(text) + 1;
  if (cells > MAX_IMPORT_CELLS)
    return { ok: false, reason: 'too_many', unit: 'cells', count: cells, max: MAX_IMPORT_CELLS };
  const entries = parseImport(text);
  const { size } = new Set(entries.map(({ displayText }) => displayText));
  if (size > MAX_IMPORT_SYMBOLS)
    return { ok: false, reason: 'too_many', unit: 'symbols', count: size, max: MAX_IMPORT_SYMBOLS };
  if (entries.length > MAX_IMPORT_ENTRIES)
    return { ok: false, reason: 'too_many', unit: 'entries', count: entries.length, max: MAX_IMPORT_ENTRIES };
  const tier = await deps.getTier(member.idpId);
  if (!tier.ok) return { ok: false, reason: 'tier_unavailable' };

  const typedSymbols = [...new Set(entries.flatMap(({ symbol }) => symbol ?? []))];
  const [spelling, watchedSymbols] = await Promise.all([
    loadSpelling(sql, typedSymbols),
    selectSymbols(sql, member.idpId, { includeLocked: true }),
  ]);
  const catalogState = {
    watched: new Set(watchedSymbols),
    inCatalog: spelling.existing,
    capacity: Math.max(0, tier.watchlist_limit - watchedSymbols.length),
  };
  // The listing's symbol can differ from the typed text, such as an ISIN.
  const listingByTypedSymbol = new Map<string, string>();
  const resolveSymbol = async (symbol: string) => {
    if (dryRun) {
      const result = await deps.market.lookUpSymbol(symbol);
      if (result.ok) listingByTypedSymbol.set(symbol, result.symbol);
      return result;
    }
    const result = await deps.market.registerSymbol(symbol);
    if (result.ok) listingByTypedSymbol.set(symbol, result.ticker.symbol);
    return result;
  };
  const getListing = (symbol: string): string => listingByTypedSymbol.get(symbol) ?? symbol;
  const catalogSymbols = [...new Set(typedSymbols.map(spelling.toCatalogSymbol))];
  let retryAfter: number | undefined;
  const lookUp = async (symbol: string) => {
    const result = await deps.lookUp(member.idpId, symbol, resolveSymbol);
    if (!result.ok && result.reason === 'unavailable') retryAfter = result.retryAfter;
    return result;
  };
  const classBySymbol = await classifySymbols(lookUp, catalogSymbols, catalogState);
  if (!classBySymbol) return { ok: false, reason: 'unavailable', retryAfter };
  const listings = [
    ...new Set(catalogSymbols.filter((symbol) => classBySymbol.get(symbol) === 'listing').map(getListing)),
  ];
  const addListings = async ({ service }: { service: ServiceSql }) => {
    const outcomes = await addItems(service, member.idpId, listings, { dryRun });
    const added = outcomes.filter(({ outcome }) => outcome === 'added').length;
    if (dryRun || added === 0) return outcomes;
    const eventProperties = { rows: entries.length, added };
    const itemCount = await countItems(service, member.idpId);
    await captureChange(context, service, { event: 'watchlist_imported', eventProperties, plan: tier, itemCount });
    return outcomes;
  };
  const outcomes = listings.length > 0 ? await runAsMemberAndService(context, addListings) : [];
  const outcomeBySymbol = new Map(listings.map((symbol, index) => [symbol, outcomes[index]!.outcome]));

  const added = new Set<string>();
  const rows = entries.map(({ line, displayText, symbol: text, crypto }): ImportResponse['rows'][number] => {
    if (text === undefined) return { line, symbol: displayText, outcome: crypto ? 'unsupported' : 'unknown' };
    const symbolClass = classBySymbol.get(spelling.toCatalogSymbol(text))!;
    const symbol = getListing(spelling.toCatalogSymbol(text));
    if (symbolClass === 'not_looked_up') return { line, symbol, outcome: 'unknown', reason: 'not_looked_up' };
    const formerSymbol = symbolClass === 'listing' ? findFormerSymbol(text, symbol) : undefined;
    const row = { line, symbol, ...(formerSymbol !== undefined && { renamed_from: formerSymbol }) };
    const outcome = symbolClass === 'listing' ? outcomeBySymbol.get(symbol)! : symbolClass;
    if (outcome === 'added' && added.has(symbol)) return { ...row, outcome: 'duplicate' };
    if (outcome === 'added') added.add(symbol);
    return { ...row, outcome };
  });
  return { ok: true, rows, added: [...added] };
}
