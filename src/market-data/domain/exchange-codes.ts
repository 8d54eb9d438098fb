/** US exchanges and country codes in lists of other programs. Their symbols equal those of the catalog. */
const US_EXCHANGE_CODES = new Set(
  (
    'NASDAQ NASDAQGS NASDAQGM NASDAQCM NYSE AMEX NYSEARCA NYSEAMERICAN NYSEMKT ARCA BATS CBOE OTC OTCMKTS MUTF ' +
    'XNAS XNYS XASE ARCX US UW UN UQ UR UA UP UF'
  ).split(' '),
);

/**
 * Suffix of the catalog by foreign exchange code: `LSE:VOD` is `VOD.L`, never the American `VOD`. Codes of two letters
 * are from Bloomberg.
 */
const SUFFIX_BY_EXCHANGE: Readonly<Record<string, string>> = {
  LSE: '.L',
  LON: '.L',
  XLON: '.L',
  LN: '.L',
  TSX: '.TO',
  XTSE: '.TO',
  CN: '.TO',
  TSXV: '.V',
  XETR: '.DE',
  XETRA: '.DE',
  ETR: '.DE',
  GR: '.DE',
  GY: '.DE',
  FWB: '.F',
  FRA: '.F',
  EPA: '.PA',
  XPAR: '.PA',
  FP: '.PA',
  AMS: '.AS',
  XAMS: '.AS',
  NA: '.AS',
  SIX: '.SW',
  SWX: '.SW',
  XSWX: '.SW',
  SW: '.SW',
  JSE: '.JO',
  TASE: '.TA',
  TSE: '.T',
  TYO: '.T',
  JP: '.T',
  HKEX: '.HK',
  HKG: '.HK',
  HK: '.HK',
  ASX: '.AX',
  AU: '.AX',
};

const CRYPTO_EXCHANGES = new Set(
  'BINANCE COINBASE KRAKEN BITSTAMP BITFINEX BYBIT OKX GEMINI KUCOIN CRYPTO CRYPTOCAP'.split(' '),
);

export type NamedListing = { kind: 'listing'; symbol: string } | { kind: 'crypto' } | { kind: 'unknown' };

/**
 * Returns the catalog listing of a symbol at an exchange. Returns undefined if the exchange is not listed here, since a
 * guess could name another company.
 */
export function toCatalogListing(exchange: string, symbol: string): NamedListing | undefined {
  if (CRYPTO_EXCHANGES.has(exchange)) return { kind: 'crypto' };
  if (US_EXCHANGE_CODES.has(exchange)) return { kind: 'listing', symbol };
  const suffix = Object.hasOwn(SUFFIX_BY_EXCHANGE, exchange) ? SUFFIX_BY_EXCHANGE[exchange] : undefined;
  return suffix === undefined ? undefined : { kind: 'listing', symbol: `${toForeignSymbol(symbol, suffix)}${suffix}` };
}

/**
 * Returns a symbol in the form that providers use before a suffix. London's last dot (`BP.`) is removed, a class
 * follows a dash (`BT.A`), and a Hong Kong number has four digits.
 */
function toForeignSymbol(symbol: string, suffix: string): string {
  if (suffix === '.HK') return symbol.replace(/^\d{1,3}$/, (digits) => digits.padStart(4, '0'));
  return symbol.replace(/[./]$/, '').replaceAll(/[./]/g, '-');
}
