/**
 * The ISIN of a bond's symbol: itself where it is one, that of a US issue where it is a CUSIP. `undefined` for what has
 * no valid check digit, and for everything else. Whether it names a bond or a share, its form does not tell.
 */
export function toIsin(symbol: string): string | undefined {
  if (/^[A-Z]{2}[A-Z0-9]{9}\d$/.test(symbol))
    return computeIsinCheckDigit(symbol.slice(0, 11)) === Number(symbol[11]) ? symbol : undefined;
  // Without a digit among the first six it would be a word.
  if (!/^(?=.{0,5}\d)[A-Z0-9]{8}\d$/.test(symbol) || computeCusipCheckDigit(symbol.slice(0, 8)) !== Number(symbol[8]))
    return undefined;
  return `US${symbol}${computeIsinCheckDigit(`US${symbol}`)}`;
}

const toDigitValue = (character: string): number => Number.parseInt(character, 36);
const sumDigits = (value: number): number => Math.floor(value / 10) + (value % 10);

/** Every second character counts twice. */
function computeCusipCheckDigit(text: string): number {
  const sum = [...text].reduce(
    (total, character, index) => total + sumDigits(toDigitValue(character) * (index % 2 === 0 ? 1 : 2)),
    0,
  );
  return (10 - (sum % 10)) % 10;
}

/** Luhn's digit over the letters written as numbers. */
function computeIsinCheckDigit(text: string): number {
  const digits = [...[...text].map(toDigitValue).join('')].toReversed().map(Number);
  const sum = digits.reduce((total, digit, index) => total + sumDigits(digit * (index % 2 === 0 ? 2 : 1)), 0);
  return (10 - (sum % 10)) % 10;
}
