/** Which endings lean on the apostrophe before them. */

/** Whether `units[start … end)` is exactly one of s, t, d, m, ll, re, ve. */
export function isContraction(units: Uint16Array, start: number, end: number): boolean {
  const first = units[start]!;
  const second = units[start + 1]!;
  if (end - start === 1) return first === 0x73 || first === 0x74 || first === 0x64 || first === 0x6d;
  if (end - start !== 2) return false;
  return (first === 0x6c && second === 0x6c) || (second === 0x65 && (first === 0x72 || first === 0x76));
}
