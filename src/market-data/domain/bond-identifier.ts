/**
 * Returns the ISIN of a bond symbol: the symbol itself, or the ISIN of a US issue given by CUSIP. Returns undefined if
 * the check digit is invalid or the symbol has another form. The form does not show whether an ISIN names a bond or a
 * share.
 */
export function toIsin(symbol: string): string | undefined {
  if (/^[A-Z]{2}[A-Z0-9]{9}\d$/.test(symbol))
    return computeIsinCheckDigit(symbol.slice(0, 11)) === Number(symbol[11]) ? symbol : undefined;
  // A CUSIP without a digit among its first six characters would match an ordinary word.
  if (!/^(?=.{0,5}\d)[A-Z0-9]{8}\d$/.test(symbol) || computeCusipCheckDigit(symbol.slice(0, 8)) !== Number(symbol[8]))
    return undefined;
  return `US${symbol}${computeIsinCheckDigit(`US${symbol}`)}`;
}

const toDigitValue = (character: string): number => Number.parseInt(character, 36);
const sumDigits = (value: number): number => Math.floor(value / 10) + (value % 10);

/** Computes the CUSIP check digit, in which every second character counts twice. */
function computeCusipCheckDigit(text: string): number {
  const sum = [...text].reduce(
    (total, character, index) => total + sumDigits(toDigitValue(character) * (index % 2 === 0 ? 1 : 2)),
    0,
  );
  return (10 - (sum % 10)) % 10;
}

/** Computes the Luhn digit over the letters written as numbers. */
function computeIsinCheckDigit(text: string): number {
  const digits = [...[...text].map(toDigitValue).join('')].toReversed().map(Number);
  const sum = digits.reduce((total, digit, index) => total + sumDigits(digit * (index % 2 === 0 ? 2 : 1)), 0);
  return (10 - (sum % 10)) % 10;
}
