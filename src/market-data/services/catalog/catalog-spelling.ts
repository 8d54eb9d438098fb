import type { MemberSql, ServiceSql } from '../../../platform/database/roles.ts';
import { mapInSlices } from '../../../platform/fairness/in-slices.ts';
import { toIsin } from '../../domain/bond-identifier.ts';
import { selectExistingSymbols } from './catalog-queries.ts';
import { toSeparatedClass, normalizeSymbol, findSymbolAlias } from '../../domain/normalize-symbol.ts';

/** Resolves symbols to the catalog's spelling and finds which of them exist. */
interface CatalogSpelling {
  toCatalogSymbol(symbol: string): string;
  existing: ReadonlySet<string>;
}

/**
 * Loads the catalog's spelling of symbols. An existing symbol stays unchanged (some contain `-` or `/`). Otherwise the
 * symbol may be an ISIN, an alias (`BRK-B`, `AAPL.O`, `FB`), or a share class without separator (`BRKB`) of an existing
 * listing.
 */
export async function loadSpelling(sql: MemberSql | ServiceSql, symbols: readonly string[]): Promise<CatalogSpelling> {
  const spellings = await mapInSlices(symbols, (symbol) =>
    [symbol, findSymbolAlias(symbol) ?? [], toSeparatedClass(symbol) ?? []].flat(),
  );
  const candidates = spellings.flat();
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

/**
 * Returns the symbol of a text, or undefined if the text is no symbol. Queries the database only for symbols with two
 * spellings.
 */
export async function resolveSymbol(sql: MemberSql, text: string): Promise<string | undefined> {
  const symbol = normalizeSymbol(text);
  if (symbol === undefined) return undefined;
  const hasSpellings =
    findSymbolAlias(symbol) !== undefined || toSeparatedClass(symbol) !== undefined || toIsin(symbol) !== undefined;
  return hasSpellings ? (await loadSpelling(sql, [symbol])).toCatalogSymbol(symbol) : symbol;
}
