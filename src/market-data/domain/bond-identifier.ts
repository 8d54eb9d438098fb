/**
 * The ISIN of a bond's symbol: itself where it is one, that of a US issue where it is a CUSIP. `undefined` for what has
 * no valid check digit, and for everything else. Whether it names a bond or a share, its form does not tell.
 */
export function isinOf(symbol: string): string | undefined {
  if (/^[A-Z]{2}[A-Z0-9]{9}\d$/.test(symbol))
    return isinDigit(symbol.slice(0, 11)) === Number(symbol[11]) ? symbol : undefined;
  // Without a digit among the first six it would be a word.
  if (!/^(?=.{0,5}\d)[A-Z0-9]{8}\d$/.test(symbol) || cusipDigit(symbol.slice(0, 8)) !== Number(symbol[8]))
    return undefined;
  return `US${symbol}${isinDigit(`US${symbol}`)}`;
}

const valueOf = (character: string): number => Number.parseInt(character, 36);
const digitSum = (value: number): number => Math.floor(value / 10) + (value % 10);

/** Every second character counts twice. */
function cusipDigit(text: string): number {
  const sum = [...text].reduce(
    (total, character, at) => total + digitSum(valueOf(character) * (at % 2 === 0 ? 1 : 2)),
    0,
  );
  return (10 - (sum % 10)) % 10;
}

/** Luhn's digit over the letters written as numbers. */
function isinDigit(text: string): number {
  const digits = [...[...text].map(valueOf).join('')].toReversed().map(Number);
  const sum = digits.reduce((total, digit, at) => total + digitSum(digit * (at % 2 === 0 ? 2 : 1)), 0);
  return (10 - (sum % 10)) % 10;
}
