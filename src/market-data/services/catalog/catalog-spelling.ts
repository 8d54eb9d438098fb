import type { MemberSql, ServiceSql } from '../../../platform/database/roles.ts';
import { toIsin } from '../../domain/bond-identifier.ts';
import { selectExistingSymbols } from './catalog-queries.ts';
import { toSeparatedClass, normaliseSymbol, findSymbolAlias } from '../../domain/normalise-symbol.ts';

/** How the catalog writes symbols, and which of these spellings it knows. */
interface CatalogSpelling {
  toCatalogSymbol(symbol: string): string;
  existing: ReadonlySet<string>;
}

/**
 * The catalog's spelling of symbols. One that the catalog has stays as it is (some hold `-` or `/`); else it may be an
 * ISIN of a listing, an alias (`BRK-B`, `AAPL.O`, `FB`), or a class without a mark (`BRKB`) of a listing that is there.
 */
export async function loadSpelling(sql: MemberSql | ServiceSql, symbols: readonly string[]): Promise<CatalogSpelling> {
  const candidates = symbols.flatMap((symbol) =>
    [symbol, findSymbolAlias(symbol) ?? [], toSeparatedClass(symbol) ?? []].flat(),
  );
  const { existing, byIsin } =
    candidates.length === 0
      ? { existing: new Set<string>(), byIsin: new Map<string, string>() }
      : await selectExistingSymbols(sql, candidates);
  return {
    existing,
    toCatalogSymbol(symbol) {
      if (existing.has(symbol)) return symbol;
      const symbolByIsin = byIsin.get(symbol);
      const alias = findSymbolAlias(symbol);
      const separatedClass = toSeparatedClass(symbol);
      return (
        symbolByIsin ??
        alias ??
        (separatedClass !== undefined && existing.has(separatedClass) ? separatedClass : symbol)
      );
    },
  };
}

/** The symbol of a text, `undefined` where it is none. Queries the database for symbols with two spellings alone. */
export async function resolveSymbol(sql: MemberSql, text: string): Promise<string | undefined> {
  const symbol = normaliseSymbol(text);
  if (symbol === undefined) return undefined;
  const hasSpellings =
    findSymbolAlias(symbol) !== undefined || toSeparatedClass(symbol) !== undefined || toIsin(symbol) !== undefined;
  return hasSpellings ? (await loadSpelling(sql, [symbol])).toCatalogSymbol(symbol) : symbol;
}
