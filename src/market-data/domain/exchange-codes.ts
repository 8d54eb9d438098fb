/** Codes of US exchanges and of the country. The catalog has their symbols without a suffix. */
const US_EXCHANGE_CODES = new Set(
  (
    'NASDAQ NASDAQGS NASDAQGM NASDAQCM NYSE AMEX NYSEARCA NYSEAMERICAN NYSEMKT ARCA BATS CBOE OTC OTCMKTS MUTF ' +
    'XNAS XNYS XASE ARCX US UW UN UQ UR UA UP UF'
  ).split(' '),
);

interface ForeignExchange {
  /** Ending of its symbols in the catalog. */
  suffix: string;
  /** Currency of most of its listings. */
  currency: string;
  codes: readonly string[];
}

/**
 * Foreign exchanges by the suffix of the catalog, so that `LSE:VOD` is `VOD.L` and never the American `VOD`. Codes of two
 * letters are from Bloomberg, those of four letters with X are MICs, and brokers use the others. The largest exchange of
 * a currency is the first one.
 */
const FOREIGN_EXCHANGES: readonly ForeignExchange[] = (
  [
    ['.L', 'GBP', 'LSE LON XLON LN LSEETF LONDONSTOCKEXCHANGE'],
    ['.TO', 'CAD', 'TSX XTSE CN TORONTOSTOCKEXCHANGE'],
    ['.V', 'CAD', 'TSXV XTSX VENTURE'],
    ['.NE', 'CAD', 'NEO NEOE XNEO NEOL'],
    ['.CN', 'CAD', 'CSE XCNQ CNSX'],
    ['.DE', 'EUR', 'XETR XETRA ETR GR GY IBIS IBIS2 XETA'],
    ['.PA', 'EUR', 'EPA XPAR FP SBF EURONEXTPARIS'],
    ['.AS', 'EUR', 'AMS XAMS NA AEB EURONEXTAMSTERDAM'],
    ['.MI', 'EUR', 'BIT XMIL MTAA ETFP BVME BVMEETF BORSAITALIANA'],
    ['.MC', 'EUR', 'BME XMAD XMCE'],
    ['.BR', 'EUR', 'EBR XBRU ENEXTBE EURONEXTBRUSSELS'],
    ['.LS', 'EUR', 'ELI XLIS BVL EURONEXTLISBON'],
    ['.HE', 'EUR', 'HEL XHEL HEX'],
    ['.VI', 'EUR', 'VIE WBAH XWBO VSE'],
    ['.IR', 'EUR', 'ISE XDUB XMSM'],
    ['.F', 'EUR', 'FWB FRA XFRA FWB2'],
    ['.SW', 'CHF', 'SIX SWX XSWX SW XVTX EBS SIXSWISSEXCHANGE'],
    ['.ST', 'SEK', 'STO XSTO SFB OMX'],
    ['.CO', 'DKK', 'CPH XCSE'],
    ['.OL', 'NOK', 'OSL XOSL OSE OSEBX'],
    ['.WA', 'PLN', 'WSE XWAR'],
    ['.JO', 'ZAR', 'JSE XJSE'],
    ['.TA', 'ILS', 'TASE XTAE'],
    ['.T', 'JPY', 'TSE TYO JP XTKS XJPX TSEJ'],
    ['.HK', 'HKD', 'HKEX HKG HK XHKG SEHK'],
    ['.SI', 'SGD', 'SGX XSES'],
    ['.AX', 'AUD', 'ASX AU XASX'],
    ['.NZ', 'NZD', 'NZX NZE XNZE'],
  ] as const
).map(([suffix, currency, codes]) => ({ suffix, currency, codes: codes.split(' ') }));

const exchangeByCode = new Map(FOREIGN_EXCHANGES.flatMap((exchange) => exchange.codes.map((code) => [code, exchange])));

const CRYPTO_EXCHANGES = new Set(
  'BINANCE COINBASE KRAKEN BITSTAMP BITFINEX BYBIT OKX GEMINI KUCOIN CRYPTO CRYPTOCAP'.split(' '),
);

/** What a text with a symbol names. */
export type NamedListing = { kind: 'listing'; symbol: string } | { kind: 'crypto' } | { kind: 'unknown' };

/**
 * Returns the catalog listing of a symbol at an exchange. Returns undefined if the exchange is not listed here, since a
 * guess could name another company.
 */
export function toCatalogListing(exchange: string, symbol: string): NamedListing | undefined {
  if (CRYPTO_EXCHANGES.has(exchange)) return { kind: 'crypto' };
  if (US_EXCHANGE_CODES.has(exchange)) return { kind: 'listing', symbol };
  const suffix = exchangeByCode.get(exchange)?.suffix;
  return suffix === undefined ? undefined : { kind: 'listing', symbol: addSuffix(symbol, suffix) };
}

/**
 * Finds the exchange of a text such as `XTSE`, `Nyse Arca` or the suffix `.TO`. Returns its code for
 * `toCatalogListing` and its usual currency. Returns undefined if it is not listed here.
 */
export function findExchange(text: string): { code: string; currency: string } | undefined {
  const typed = text.trim().toUpperCase();
  const exchangeOfSuffix = FOREIGN_EXCHANGES.find(({ suffix }) => suffix === typed);
  const code = exchangeOfSuffix?.codes[0] ?? typed.replace(/[^A-Z0-9]/g, '');
  if (US_EXCHANGE_CODES.has(code)) return { code, currency: 'USD' };
  const exchange = exchangeByCode.get(code);
  return exchange && { code, currency: exchange.currency };
}

/** Lists the symbols that a symbol without suffix may have at the exchanges of a currency, the largest first. */
export const listSymbolsInCurrency = (symbol: string, currency: string): string[] =>
  FOREIGN_EXCHANGES.filter((exchange) => exchange.currency === currency).map(({ suffix }) => addSuffix(symbol, suffix));

const addSuffix = (symbol: string, suffix: string): string =>
  symbol.endsWith(suffix) ? symbol : `${toForeignSymbol(symbol, suffix)}${suffix}`;

/** Returns the symbol without the suffix of a foreign exchange: `VFV.TO` is `VFV`. */
export function removeSuffix(symbol: string): string {
  const suffix = FOREIGN_EXCHANGES.find((exchange) => symbol.endsWith(exchange.suffix))?.suffix;
  return suffix === undefined ? symbol : symbol.slice(0, -suffix.length);
}

/**
 * Returns a symbol as providers write it before a suffix. London's `BP.` is `BP`, the share class of `BT.A` is `BT-A`,
 * and Hong Kong's `5` is `0005`.
 */
function toForeignSymbol(symbol: string, suffix: string): string {
  if (suffix === '.HK') return symbol.replace(/^\d{1,3}$/, (digits) => digits.padStart(4, '0'));
  return symbol.replace(/[./]$/, '').replaceAll(/[./]/g, '-');
}
