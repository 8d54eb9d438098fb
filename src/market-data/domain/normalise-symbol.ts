import { toCatalogListing, type NamedListing } from './exchange-codes.ts';
import { findSuccessorSymbol } from './former-symbols.ts';

/** The shape that the catalog's own check allows. */
const SYMBOL = /^[A-Z0-9][A-Z0-9.^=/-]{0,31}$/;

const QUOTE_CHARACTERS = `"'\`´‘’‚‛“”„‟«»‹›「」()\\[\\]`;
const SURROUNDING_QUOTES = new RegExp(`^[${QUOTE_CHARACTERS}\\s]+|[${QUOTE_CHARACTERS}\\s]+$`, 'g');

/**
 * Text as it was meant: full-width letters and dashes of all kinds in ASCII, without characters that are not seen and
 * quotes around it. Look-alike letters of other alphabets stay, so that members follow what they see.
 */
export const toPlainText = (text: string): string =>
  text
    .replace(/[\uff01-\uff5e]/g, (character) => String.fromCodePoint(character.codePointAt(0)! - 0xfee0))
    .replace(/\p{Cf}/gu, '')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(SURROUNDING_QUOTES, '')
    .replace(/\s+/g, ' ');

/** What a text names: a listing of the catalog, a coin at an exchange for coins, or nothing that is known. */
export function parseListing(text: string): NamedListing {
  // Capitals of ASCII alone: toUpperCase would make "ı" into "I" and "ſ" into "S".
  const typed = toPlainText(text).replace(/[a-z]+/g, (letters) => letters.toUpperCase());
  const [, first, second] = /^([^:]*):([^:]*)$/.exec(typed) ?? [];
  if (first !== undefined && second !== undefined) {
    const [left, right] = [first.trim(), second.trim()];
    // `NASDAQ:AAPL` is how most write it, `AAPL:US` how Bloomberg does.
    return toValidListing(
      toCatalogListing(left, normaliseShareClass(right)) ?? toCatalogListing(right, normaliseShareClass(left)),
    );
  }
  const [, symbol, exchange] = /^(.+) ([A-Z]{2})(?: EQUITY)$|^(.+) US$/.exec(typed)?.filter(Boolean) ?? [];
  if (symbol !== undefined) return toValidListing(toCatalogListing(exchange ?? 'US', normaliseShareClass(symbol)));
  return toValidListing({ kind: 'listing', symbol: normaliseShareClass(typed) });
}

/** Without the `$` of a cashtag; a class of shares behind a space (`BRK B`) is written behind a dot. */
const normaliseShareClass = (symbol: string): string =>
  symbol.replace(/^\$(?=[A-Z])/, '').replace(/^([A-Z]{2,5}) (?:CL(?:ASS)? )?([A-Z])$/, '$1.$2');

const toValidListing = (listing: NamedListing | undefined): NamedListing =>
  !listing || (listing.kind === 'listing' && !SYMBOL.test(listing.symbol)) ? { kind: 'unknown' } : listing;

/**
 * The symbol of a text as the catalog writes it, however the text spells it (`$aapl`, `NASDAQ:AAPL`, `BRK B`, `“VOO”`);
 * `undefined` for what is no symbol. Search, add and import all read with it.
 */
export function normaliseSymbol(text: string): string | undefined {
  const listing = parseListing(text);
  return listing.kind === 'listing' ? listing.symbol : undefined;
}

const CLASS_OF_SHARES = /^([A-Z]{1,5})[-/]([A-Z])$/;
/** Reuters' codes for New York and Nasdaq, and other programs' for the United States. */
const UNITED_STATES = /^([A-Z]{1,5}(?:[./-][A-Z])?)(?:\.(?:O|OQ|N)|[.-]US)$/;
const CLASS_WITHOUT_SEPARATOR = /^([A-Z]{2,4})([ABC])$/;

/** `BRK-B` and `BRK/B` as the catalog writes a class of shares (`BRK.B`), for symbols that it lacks. */
const toDottedClass = (symbol: string): string | undefined =>
  CLASS_OF_SHARES.test(symbol) ? symbol.replace(CLASS_OF_SHARES, '$1.$2') : undefined;

/**
 * What a symbol that the catalog lacks surely means: a class of shares behind a dot, no exchange of the United States,
 * a company's new symbol.
 */
export function findSymbolAlias(symbol: string): string | undefined {
  const [, usSymbol] = UNITED_STATES.exec(symbol) ?? [];
  const plain = usSymbol === undefined ? symbol : (toDottedClass(usSymbol) ?? usSymbol);
  const alias = findSuccessorSymbol(plain) ?? toDottedClass(plain) ?? plain;
  return alias === symbol ? undefined : alias;
}

/** What a symbol that nobody knows may mean: `BRKB` is `BRK.B`. */
export const toSeparatedClass = (symbol: string): string | undefined =>
  CLASS_WITHOUT_SEPARATOR.test(symbol) ? symbol.replace(CLASS_WITHOUT_SEPARATOR, '$1.$2') : undefined;

/** The symbol that the text gave, where the listing was found under a company's new one. */
export function findFormerSymbol(text: string, found: string): string | undefined {
  const typed = normaliseSymbol(text);
  if (typed === undefined || typed === found) return undefined;
  return findSuccessorSymbol(UNITED_STATES.exec(typed)?.[1] ?? typed) === found ? typed : undefined;
}

const PARTIAL_CLASS = /^([A-Z]{1,5})[-/]([A-Z]?)$/;

/** How the catalog may write a symbol that is still being typed: `BRK-` and `BRK/B` behind a dot too. */
export function listSpellings(text: string): string[] {
  const symbol = normaliseSymbol(text);
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

/** A pair with a coin (BTC-USD), a currency pair (EURUSD=X) or a future (ES=F), which are never followed here. */
export const isNeverListed = (symbol: string): boolean => PAIR.test(symbol) || CURRENCY_OR_FUTURE.test(symbol);

/** The bare name of a coin. Some are tickers of funds as well, so a provider is asked first. */
export const isCoin = (symbol: string): boolean => COIN.test(symbol);
