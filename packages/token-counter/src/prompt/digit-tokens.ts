/** Tokens of a number that a hidden text names: three digits are one; none where it is no number. */
export function countDigitTokens(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.ceil(String(Math.trunc(value)).length / 3) : 0;
}
