/** The shape that the catalog's own check allows. */
const SYMBOL = /^[A-Z0-9][A-Z0-9.^=/-]{0,31}$/;

/**
 * The symbol as the catalog writes it: trimmed, in capitals, without the `$` of a cashtag. `undefined` for what is no
 * symbol; look-alike letters of other alphabets are not converted, so that members follow what they see.
 */
export function normaliseSymbol(text: string): string | undefined {
  const trimmed = text.trim().replace(/^\$(?=[A-Za-z])/, '');
  // Capitals of ASCII alone: toUpperCase would make "ı" into "I" and "ſ" into "S".
  const symbol = trimmed.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
  return SYMBOL.test(symbol) ? symbol : undefined;
}

const CLASS_OF_SHARES = /^([A-Z]{1,5})[-/]([A-Z])$/;

/** `BRK-B` and `BRK/B` as the catalog writes a class of shares (`BRK.B`), for symbols that it lacks. */
export const classAlias = (symbol: string): string | undefined =>
  CLASS_OF_SHARES.test(symbol) ? symbol.replace(CLASS_OF_SHARES, '$1.$2') : undefined;

const CLASS_BEGUN = /^([A-Z]{1,5})[-/]([A-Z]?)$/;

/** How the catalog may write a half-typed symbol: as it stands, and `BRK-` or `BRK/B` behind a dot. */
export function spellingsOf(text: string): string[] {
  const symbol = normaliseSymbol(text);
  if (symbol === undefined) return [];
  return CLASS_BEGUN.test(symbol) ? [symbol, symbol.replace(CLASS_BEGUN, '$1.$2')] : [symbol];
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
