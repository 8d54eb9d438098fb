import type { MemberSql } from '../database/roles.ts';
import { classAlias } from '../market-data/normalise-symbol.ts';
import { selectKnownSymbols } from './queries.ts';

/** How the catalog writes symbols, and which of these spellings it knows. */
export interface Spelling {
  of(symbol: string): string;
  known: ReadonlySet<string>;
}

/** A symbol that the catalog knows stays as it is (some do hold `-` or `/`); else a class of shares is written `BRK.B`. */
export async function readSpelling(sql: MemberSql, symbols: readonly string[]): Promise<Spelling> {
  const all = symbols.flatMap((symbol) => [symbol, classAlias(symbol) ?? []].flat());
  const known = all.length === 0 ? new Set<string>() : await selectKnownSymbols(sql, all);
  return { known, of: (symbol) => (known.has(symbol) ? symbol : (classAlias(symbol) ?? symbol)) };
}
