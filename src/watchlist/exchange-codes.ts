/** US exchanges in other programs' lists: their symbols are the catalog's as they are. */
const UNITED_STATES = new Set(
  'NASDAQ NYSE AMEX NYSEARCA NYSEAMERICAN NYSEMKT ARCA BATS CBOE OTC OTCMKTS MUTF US'.split(' '),
);

/** Others, with the suffix that their listings carry in the catalog: `LSE:VOD` is `VOD.L`, never the American `VOD`. */
const SUFFIXES: Readonly<Record<string, string>> = {
  LSE: '.L',
  LON: '.L',
  TSX: '.TO',
  TSXV: '.V',
  XETR: '.DE',
  ETR: '.DE',
  FWB: '.F',
  EPA: '.PA',
  AMS: '.AS',
  SIX: '.SW',
  SWX: '.SW',
  JSE: '.JO',
  TASE: '.TA',
  TSE: '.T',
  HKEX: '.HK',
  ASX: '.AX',
};

const CRYPTO = new Set('BINANCE COINBASE KRAKEN BITSTAMP BITFINEX BYBIT OKX GEMINI KUCOIN CRYPTO CRYPTOCAP'.split(' '));

type NamedListing = { kind: 'listing'; symbol: string } | { kind: 'crypto' } | { kind: 'unknown' };

/**
 * What `EXCHANGE:SYMBOL` stands for in the catalog. An exchange that is not listed here is unknown: a guess could be
 * another company.
 */
export function listingOf(text: string): NamedListing {
  const colon = text.indexOf(':');
  if (colon === -1) return { kind: 'listing', symbol: text };
  const exchange = text.slice(0, colon).trim().toUpperCase();
  const symbol = text.slice(colon + 1).trim();
  if (CRYPTO.has(exchange)) return { kind: 'crypto' };
  if (UNITED_STATES.has(exchange)) return { kind: 'listing', symbol };
  const suffix = Object.hasOwn(SUFFIXES, exchange) ? SUFFIXES[exchange] : undefined;
  return suffix === undefined
    ? { kind: 'unknown' }
    : { kind: 'listing', symbol: `${abroad(symbol, exchange)}${suffix}` };
}

/**
 * A symbol as the providers write it before a suffix: without London's last dot (`BP.`), a class behind a dash
 * (`BT.A`), Hong Kong's number in four digits.
 */
function abroad(symbol: string, exchange: string): string {
  if (exchange === 'HKEX') return symbol.replace(/^\d{1,3}$/, (digits) => digits.padStart(4, '0'));
  return symbol.replace(/\.$/, '').replaceAll('.', '-');
}
