/** Returns the tokens of a number in a hidden text: one per three digits. Returns 0 for other values. */
export function countDigitTokens(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.ceil(String(Math.trunc(value)).length / 3) : 0;
}
