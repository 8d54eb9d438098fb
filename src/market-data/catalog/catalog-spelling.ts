import type { MemberSql, ServiceSql } from '../../database/roles.ts';
import { selectKnownSymbols } from './catalog-queries.ts';
import { classAlias, normaliseSymbol } from './normalise-symbol.ts';

/** How the catalog writes symbols, and which of these spellings it knows. */
interface Spelling {
  of(symbol: string): string;
  known: ReadonlySet<string>;
}

/** A symbol of the catalog stays as it is (some hold `-` or `/`); else a class of shares is written `BRK.B`. */
export async function readSpelling(sql: MemberSql | ServiceSql, symbols: readonly string[]): Promise<Spelling> {
  const all = symbols.flatMap((symbol) => [symbol, classAlias(symbol) ?? []].flat());
  const known = all.length === 0 ? new Set<string>() : await selectKnownSymbols(sql, all);
  return { known, of: (symbol) => (known.has(symbol) ? symbol : (classAlias(symbol) ?? symbol)) };
}

/** The symbol of a text, `undefined` where it is none. Queries the database for symbols with two spellings alone. */
export async function readSymbol(sql: MemberSql, text: string): Promise<string | undefined> {
  const symbol = normaliseSymbol(text);
  return symbol !== undefined && classAlias(symbol) !== undefined
    ? (await readSpelling(sql, [symbol])).of(symbol)
    : symbol;
}
