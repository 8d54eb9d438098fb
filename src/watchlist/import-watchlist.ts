import type { Asked } from './context.ts';
import type { ImportOutcome, ImportResponse } from './contract.ts';
import type { ImportEntry } from './parse-import.ts';
import { parseImport } from './parse-import.ts';
import { addItems, selectKnownSymbols } from './queries.ts';

/** Rows and bytes that one import may have. */
export const IMPORT_ROWS = 500;
export const IMPORT_BYTES = 64 * 1024;

export type Imported =
  | { ok: true; rows: ImportResponse['rows']; added: string[] }
  | { ok: false; reason: 'too_large' | 'tier_unavailable' | 'unavailable' }
  | { ok: false; reason: 'too_many_rows'; rows: number };

/** Symbols that are looked up at a time. */
const AT_ONCE = 4;

/**
 * Adds a pasted list in one transaction and says of every entry what became of it; a dry run says it and changes nothing on the list. What
 * the catalog has never heard of is looked up first; when that is not possible now, nothing is added.
 */
export async function importWatchlist(asked: Asked, text: string, dryRun: boolean): Promise<Imported> {
  const { deps, member } = asked;
  if (Buffer.byteLength(text) > IMPORT_BYTES) return { ok: false, reason: 'too_large' };
  const entries = parseImport(text);
  if (entries.length > IMPORT_ROWS) return { ok: false, reason: 'too_many_rows', rows: entries.length };
  if (!(await deps.tierOf(member.idpId)).ok) return { ok: false, reason: 'tier_unavailable' };

  const judged = await judgeSymbols(asked, [...new Set(entries.flatMap(({ symbol }) => symbol ?? []))]);
  if (!judged) return { ok: false, reason: 'unavailable' };
  const listings = entries.flatMap(({ symbol }) => (symbol !== undefined && judged.get(symbol) === 'listing' ? symbol : []));
  const outcomes = listings.length === 0 ? [] : await addItems(deps.database.service, member.idpId, listings, dryRun);

  let next = 0;
  const outcomeOf = ({ symbol, crypto }: ImportEntry): ImportOutcome => {
    if (crypto) return 'unsupported';
    const verdict = symbol === undefined ? 'unknown' : judged.get(symbol)!;
    return verdict === 'listing' ? outcomes[next++]!.outcome : verdict;
  };
  const rows = entries.map((entry) => ({ line: entry.line, symbol: entry.shown, outcome: outcomeOf(entry) }));
  return { ok: true, rows, added: rows.filter(({ outcome }) => outcome === 'added').map(({ symbol }) => symbol) };
}

type Verdict = 'listing' | 'unknown' | 'unsupported';

/** What each symbol is; `undefined` where one of them cannot be looked up now. */
async function judgeSymbols({ deps, sql }: Asked, symbols: readonly string[]): Promise<Map<string, Verdict> | undefined> {
  const known = symbols.length === 0 ? new Set<string>() : await selectKnownSymbols(sql, symbols);
  const judged = new Map<string, Verdict>([...known].map((symbol) => [symbol, 'listing']));
  const strangers = symbols.filter((symbol) => !known.has(symbol));
  for (let at = 0; at < strangers.length; at += AT_ONCE) {
    const batch = strangers.slice(at, at + AT_ONCE);
    const answers = await Promise.all(batch.map((symbol) => deps.market.registerSymbol(symbol)));
    for (const [index, answer] of answers.entries()) {
      if (!answer.ok && answer.reason === 'unavailable') return undefined;
      judged.set(batch[index]!, answer.ok ? 'listing' : (answer.reason as 'unknown' | 'unsupported'));
    }
  }
  return judged;
}
