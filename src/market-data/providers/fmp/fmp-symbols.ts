import type { AssetType } from '../../domain/market-data-provider.ts';

/** Converts a share class to FMP's spelling with a dash (BRK.B to BRK-B). Exchange suffixes such as `.L` stay. */
export const toFmpSymbol = (symbol: string): string => symbol.replace(/^([A-Z]+)\.([ABC])$/, '$1-$2');

export const fromFmpSymbol = (symbol: string): string => symbol.replace(/^([A-Z]+)-([ABC])$/, '$1.$2');

const UNSUPPORTED_EXCHANGES = new Set(['CRYPTO', 'FOREX', 'COMMODITY', 'INDEX']);

/** Returns whether FMP's exchange lists coins, currencies, commodities or indices. */
export const isUnsupportedExchange = (exchange: string | null): boolean =>
  exchange !== null && UNSUPPORTED_EXCHANGES.has(exchange);

/**
 * Names of leveraged products, which trade like ETFs and often do not contain the word: "2x Long", "3X Shares", "Daily
 * Semiconductor Bull".
 */
const LEVERAGE_FACTOR = String.raw`-?[1-5](\.\d+)?x\b`;
const LEVERAGED = new RegExp(
  [
    String.raw`\b${LEVERAGE_FACTOR}.*\b(shares?|long|short|bull|bear|daily|leveraged|inverse)\b`,
    String.raw`\bdaily\b.*\b(bull|bear|${LEVERAGE_FACTOR})`,
    String.raw`\b(leveraged|inverse)\b.*\b(shares?|notes?|fund|index)\b`,
  ].join('|'),
  'i',
);

/**
 * Guesses the asset type of a search hit, which FMP does not return. Uses the name and the fifth letter X of US mutual
 * funds.
 */
export function guessAssetType(symbol: string, name: string | null): AssetType {
  if (/^[A-Z]{4}X$/.test(symbol)) return 'mutual_fund';
  return name !== null &&
    (/\b(ETFs?|ETNs?|ETPs?|UCITS|iShares|SPDR|ProShares|Direxion)\b/i.test(name) || LEVERAGED.test(name))
    ? 'etf'
    : 'stock';
}
