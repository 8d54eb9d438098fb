import type { ServiceSql } from '../../platform/database/roles.ts';
import { readSpelling } from '../../market-data/services/catalog/catalog-spelling.ts';
import { renamedFrom } from '../../market-data/domain/normalise-symbol.ts';
import { captureChange } from './capture-event.ts';
import type { ChangeContext } from './context.ts';
import type { ImportResponse } from './contract.ts';
import { judgeSymbols } from './judge-symbols.ts';
import { parseImport } from './parse-import.ts';
import { addItems, countItems, selectSymbols } from './queries.ts';

/**
 * Symbols, entries and bytes that one import may have: a symbol may stand there as often as it was bought, and every
 * entry is answered.
 */
const IMPORT_SYMBOLS = 500;
const IMPORT_ENTRIES = 5000;
export const IMPORT_BYTES = 64 * 1024;

export type Imported =
  | { ok: true; rows: ImportResponse['rows']; added: string[] }
  | { ok: false; reason: 'too_large' | 'tier_unavailable' }
  | { ok: false; reason: 'unavailable'; retryAfter: number | undefined }
  | { ok: false; reason: 'too_many'; what: 'symbols' | 'entries'; count: number; most: number };

/**
 * Adds a pasted list in one transaction and says of every entry what became of it; a dry run says it and changes
 * nothing at all. What the catalog has never heard of is looked up first, as far as the list has room; when that is not
 * possible now, nothing is added.
 */
export async function importWatchlist(context: ChangeContext, text: string, dryRun: boolean): Promise<Imported> {
  const { deps, member, sql } = context;
  if (Buffer.byteLength(text) > IMPORT_BYTES) return { ok: false, reason: 'too_large' };
  const entries = parseImport(text);
  const { size } = new Set(entries.map(({ shown }) => shown));
  if (size > IMPORT_SYMBOLS)
    return { ok: false, reason: 'too_many', what: 'symbols', count: size, most: IMPORT_SYMBOLS };
  if (entries.length > IMPORT_ENTRIES)
    return { ok: false, reason: 'too_many', what: 'entries', count: entries.length, most: IMPORT_ENTRIES };
  const tier = await deps.tierOf(member.idpId);
  if (!tier.ok) return { ok: false, reason: 'tier_unavailable' };

  const named = [...new Set(entries.flatMap(({ symbol }) => symbol ?? []))];
  const [spelling, onList] = await Promise.all([readSpelling(sql, named), selectSymbols(sql, member.idpId, true)]);
  const standing = {
    watched: new Set(onList),
    known: spelling.known,
    room: Math.max(0, tier.watchlist_limit - onList.length),
  };
  // An ISIN or another spelling is listed under a symbol of its own.
  const listed = new Map<string, string>();
  const ask = async (symbol: string) => {
    if (dryRun) {
      const answer = await deps.market.lookUpSymbol(symbol);
      if (answer.ok) listed.set(symbol, answer.symbol);
      return answer;
    }
    const answer = await deps.market.registerSymbol(symbol);
    if (answer.ok) listed.set(symbol, answer.ticker.symbol);
    return answer;
  };
  const listingOf = (symbol: string): string => listed.get(symbol) ?? symbol;
  const wanted = [...new Set(named.map(spelling.of))];
  let retryAfter: number | undefined;
  const lookUp = async (symbol: string) => {
    const answer = await deps.lookUp(member.idpId, symbol, ask);
    if (!answer.ok && answer.reason === 'unavailable') retryAfter = answer.retryAfter;
    return answer;
  };
  const judged = await judgeSymbols(lookUp, wanted, standing);
  if (!judged) return { ok: false, reason: 'unavailable', retryAfter };
  const listings = [...new Set(wanted.filter((symbol) => judged.get(symbol) === 'listing').map(listingOf))];
  const addListings = async (tx: ServiceSql) => {
    const outcomes = await addItems(tx, member.idpId, listings, { dryRun });
    const added = outcomes.filter(({ outcome }) => outcome === 'added').length;
    if (dryRun || added === 0) return outcomes;
    const own = { rows: entries.length, added };
    const itemCount = await countItems(tx, member.idpId);
    await captureChange(context, tx, { event: 'watchlist_imported', own, plan: tier, itemCount });
    return outcomes;
  };
  const outcomes = listings.length > 0 ? await deps.database.serviceFor(member.idpId).transaction(addListings) : [];
  const outcomeOf = new Map(listings.map((symbol, index) => [symbol, outcomes[index]!.outcome]));

  const added = new Set<string>();
  const rows = entries.map(({ line, shown, symbol: text, crypto }): ImportResponse['rows'][number] => {
    if (text === undefined) return { line, symbol: shown, outcome: crypto ? 'unsupported' : 'unknown' };
    const verdict = judged.get(spelling.of(text))!;
    const symbol = listingOf(spelling.of(text));
    if (verdict === 'not_looked_up') return { line, symbol, outcome: 'unknown', reason: 'not_looked_up' };
    const former = verdict === 'listing' ? renamedFrom(text, symbol) : undefined;
    const row = { line, symbol, ...(former !== undefined && { renamed_from: former }) };
    const outcome = verdict === 'listing' ? outcomeOf.get(symbol)! : verdict;
    if (outcome === 'added' && added.has(symbol)) return { ...row, outcome: 'duplicate' };
    if (outcome === 'added') added.add(symbol);
    return { ...row, outcome };
  });
  return { ok: true, rows, added: [...added] };
}
