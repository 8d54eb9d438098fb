import type { MemberSql, ServiceSql } from '../../../platform/database/roles.ts';
import { isinOf } from '../../domain/bond-identifier.ts';
import { selectKnownSpellings } from './catalog-queries.ts';
import { classWithoutMark, normaliseSymbol, symbolAlias } from '../../domain/normalise-symbol.ts';

/** How the catalog writes symbols, and which of these spellings it knows. */
interface Spelling {
  of(symbol: string): string;
  known: ReadonlySet<string>;
}

/**
 * The catalog's spelling of symbols. One that the catalog has stays as it is (some hold `-` or `/`); else it may be an
 * ISIN of a listing, an alias (`BRK-B`, `AAPL.O`, `FB`), or a class without a mark (`BRKB`) of a listing that is there.
 */
export async function readSpelling(sql: MemberSql | ServiceSql, symbols: readonly string[]): Promise<Spelling> {
  const all = symbols.flatMap((symbol) => [symbol, symbolAlias(symbol) ?? [], classWithoutMark(symbol) ?? []].flat());
  const { known, byIsin } =
    all.length === 0
      ? { known: new Set<string>(), byIsin: new Map<string, string>() }
      : await selectKnownSpellings(sql, all);
  return {
    known,
    of(symbol) {
      if (known.has(symbol)) return symbol;
      const listed = byIsin.get(symbol);
      const alias = symbolAlias(symbol);
      const marked = classWithoutMark(symbol);
      return listed ?? alias ?? (marked !== undefined && known.has(marked) ? marked : symbol);
    },
  };
}

/** The symbol of a text, `undefined` where it is none. Queries the database for symbols with two spellings alone. */
export async function readSymbol(sql: MemberSql, text: string): Promise<string | undefined> {
  const symbol = normaliseSymbol(text);
  if (symbol === undefined) return undefined;
  const hasSpellings =
    symbolAlias(symbol) !== undefined || classWithoutMark(symbol) !== undefined || isinOf(symbol) !== undefined;
  return hasSpellings ? (await readSpelling(sql, [symbol])).of(symbol) : symbol;
}
