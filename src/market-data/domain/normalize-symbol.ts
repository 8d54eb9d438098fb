import { toCatalogListing, type NamedListing } from './exchange-codes.ts';
import { findSuccessorSymbol } from './former-symbols.ts';

/** The pattern of the catalog's check constraint. */
const SYMBOL = /^[A-Z0-9][A-Z0-9.^=/-]{0,31}$/;

const QUOTE_CHARACTERS = `"'\`´‘’‚‛“”„‟«»‹›「」()\\[\\]`;
const SURROUNDING_QUOTES = new RegExp(`^[${QUOTE_CHARACTERS}\\s]+|[${QUOTE_CHARACTERS}\\s]+$`, 'g');

/**
 * Normalizes full-width letters and all dashes to ASCII, and removes invisible characters and surrounding quotes.
 * Look-alike letters of other alphabets stay, so that members see which symbol they add.
 */
export const toPlainText = (text: string): string =>
  PLAIN_TEXT.test(text)
    ? text
    : text
        .replace(/[\uff01-\uff5e]/g, (character) => String.fromCodePoint(character.codePointAt(0)! - 0xfee0))
        .replace(/\p{Cf}/gu, '')
        .replace(/[\u2010-\u2015\u2212]/g, '-')
        .replace(SURROUNDING_QUOTES, '')
        .replace(/\s+/g, ' ');
/** Most symbols are plain, and a file may have thousands. */
const PLAIN_TEXT = /^[\w.:-]*$/;

/** Parses a text as a listing of the catalog, a coin at a crypto exchange, or an unknown symbol. */
export function parseListing(text: string): NamedListing {
  // Only ASCII letters are capitalized. toUpperCase would turn "ı" into "I" and "ſ" into "S".
  const typed = toPlainText(text).replace(/[a-z]+/g, (letters) => letters.toUpperCase());
  const [, first, second] = /^([^:]*):([^:]*)$/.exec(typed) ?? [];
  if (first !== undefined && second !== undefined) {
    const left = first.trim();
    const right = second.trim();
    // `NASDAQ:AAPL` is the common form, `AAPL:US` is Bloomberg's. No security has the symbol US, while some have one
    // that is also the code of an exchange: `ETR:US` is Entergy.
    const listing = right === 'US' ? undefined : toCatalogListing(left, normalizeShareClass(right));
    return toValidListing(listing ?? toCatalogListing(right, normalizeShareClass(left)));
  }
  const [, symbol, exchange] = /^(.+) ([A-Z]{2})(?: EQUITY)$|^(.+) US$/.exec(typed)?.filter(Boolean) ?? [];
  if (symbol !== undefined) return toValidListing(toCatalogListing(exchange ?? 'US', normalizeShareClass(symbol)));
  return toValidListing({ kind: 'listing', symbol: normalizeShareClass(typed) });
}

/** Removes the `$` of a cashtag and writes a share class after a space (`BRK B`) with a dot. */
const normalizeShareClass = (symbol: string): string =>
  symbol.replace(/^\$(?=[A-Z])/, '').replace(/^([A-Z]{2,5}) (?:CL(?:ASS)? )?([A-Z])$/, '$1.$2');

const toValidListing = (listing: NamedListing | undefined): NamedListing =>
  !listing || (listing.kind === 'listing' && !SYMBOL.test(listing.symbol)) ? { kind: 'unknown' } : listing;

/**
 * Returns the symbol of a text in the spelling of the catalog (from `$aapl`, `NASDAQ:AAPL`, `BRK B`, `“VOO”`). Returns
 * undefined if the text is no symbol. Search, add and import all use this function.
 */
export function normalizeSymbol(text: string): string | undefined {
  const listing = parseListing(text);
  return listing.kind === 'listing' ? listing.symbol : undefined;
}

const CLASS_OF_SHARES = /^([A-Z]{1,5})[-/]([A-Z])$/;
/** Reuters codes for New York and Nasdaq, and codes of other programs for the United States. */
const UNITED_STATES = /^([A-Z]{1,5}(?:[./-][A-Z])?)(?:\.(?:O|OQ|N)|[.-]US)$/;
const CLASS_WITHOUT_SEPARATOR = /^([A-Z]{2,4})([ABC])$/;

/**
 * Returns a share class (`BRK-B`, `BRK/B`) in the spelling of the catalog (`BRK.B`), for symbols that the catalog
 * lacks.
 */
const toDottedClass = (symbol: string): string | undefined =>
  CLASS_OF_SHARES.test(symbol) ? symbol.replace(CLASS_OF_SHARES, '$1.$2') : undefined;

/**
 * Returns the certain meaning of a symbol that the catalog lacks: a dotted share class, a symbol without a US exchange
 * code, or a company's new symbol.
 */
export function findSymbolAlias(symbol: string): string | undefined {
  const [, usSymbol] = UNITED_STATES.exec(symbol) ?? [];
  const plain = usSymbol === undefined ? symbol : (toDottedClass(usSymbol) ?? usSymbol);
  const alias = findSuccessorSymbol(plain) ?? toDottedClass(plain) ?? plain;
  return alias === symbol ? undefined : alias;
}

/** Returns the possible meaning of an unknown symbol: `BRKB` is `BRK.B`. */
export const toSeparatedClass = (symbol: string): string | undefined =>
  CLASS_WITHOUT_SEPARATOR.test(symbol) ? symbol.replace(CLASS_WITHOUT_SEPARATOR, '$1.$2') : undefined;

/** Returns the symbol of the text if the listing was found under the company's new symbol. */
export function findFormerSymbol(text: string, found: string): string | undefined {
  const typed = normalizeSymbol(text);
  if (typed === undefined || typed === found) return undefined;
  return findSuccessorSymbol(UNITED_STATES.exec(typed)?.[1] ?? typed) === found ? typed : undefined;
}

const PARTIAL_CLASS = /^([A-Z]{1,5})[-/]([A-Z]?)$/;

/** Lists spellings of the catalog for a partly typed symbol: `BRK-` and `BRK/B` also with a dot. */
export function listSpellings(text: string): string[] {
  const symbol = normalizeSymbol(text);
  if (symbol === undefined) return [];
  const partialClass = PARTIAL_CLASS.test(symbol) ? symbol.replace(PARTIAL_CLASS, '$1.$2') : undefined;
  const others = [partialClass, findSymbolAlias(symbol), toSeparatedClass(symbol)].filter(
    (other) => other !== undefined,
  );
  return [...new Set([symbol, ...others])];
}

const coins =
  'BTC|ETH|SOL|XRP|DOGE|ADA|BNB|USDT|USDC|TRX|AVAX|DOT|LTC|BCH|LINK|SHIB|XLM|MATIC|' +
  'POL|UNI|ATOM|XMR|ETC|FIL|NEAR|APT|ARB|OP|SUI|TON|PEPE|HBAR|ICP|AAVE|ALGO';
const PAIR = new RegExp(`^(X-)?(${coins})[-/.]?(USD|USDT|USDC|EUR|GBP|JPY|BTC|ETH)(\\.CC)?$`);
const COIN = new RegExp(`^(${coins})$`);
const CURRENCY_OR_FUTURE = /^[A-Z0-9]+=[XF]$/;

/**
 * Returns whether a symbol is never listed here: a coin pair (BTC-USD), a currency pair (EURUSD=X) or a future (ES=F).
 */
export const isNeverListed = (symbol: string): boolean => PAIR.test(symbol) || CURRENCY_OR_FUTURE.test(symbol);

/**
 * Returns whether a symbol is the bare name of a coin. Some coin names are also tickers of funds, so a provider is
 * called first.
 */
export const isCoin = (symbol: string): boolean => COIN.test(symbol);
