import type { MemberSql } from '../../database/roles.ts';
import { selectKnownSymbols } from './catalog-queries.ts';
import { classAlias, normaliseSymbol } from './normalise-symbol.ts';

/** How the catalog writes symbols, and which of these spellings it knows. */
interface Spelling {
  of(symbol: string): string;
  known: ReadonlySet<string>;
}

/** A symbol that the catalog knows stays as it is (some do hold `-` or `/`); else a class of shares is written
 * `BRK.B`. */
export async function readSpelling(sql: MemberSql, symbols: readonly string[]): Promise<Spelling> {
  const all = symbols.flatMap((symbol) => [symbol, classAlias(symbol) ?? []].flat());
  const known = all.length === 0 ? new Set<string>() : await selectKnownSymbols(sql, all);
  return { known, of: (symbol) => (known.has(symbol) ? symbol : (classAlias(symbol) ?? symbol)) };
}

/** A text as the catalog writes the symbol, `undefined` where it is none. Asks the database for the few alone that
 * have two spellings. */
export async function readSymbol(sql: MemberSql, text: string): Promise<string | undefined> {
  const symbol = normaliseSymbol(text);
  return symbol !== undefined && classAlias(symbol) !== undefined
    ? (await readSpelling(sql, [symbol])).of(symbol)
    : symbol;
}
