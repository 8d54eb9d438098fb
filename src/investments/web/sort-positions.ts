import type { Position } from '../contract.ts';

/** The most valuable first, one currency after the other: amounts of two currencies cannot be compared. What has no price is last. */
export function sortPositions(positions: readonly Position[]): Position[] {
  const holders = new Map<string | null, number>();
  for (const { currency } of positions) holders.set(currency, (holders.get(currency) ?? 0) + 1);
  return positions.toSorted(
    (a, b) =>
      Number(a.value === null) - Number(b.value === null) ||
      // The currency that most holdings are in leads.
      (holders.get(b.currency) ?? 0) - (holders.get(a.currency) ?? 0) ||
      (a.currency ?? '').localeCompare(b.currency ?? '') ||
      (b.value ?? 0) - (a.value ?? 0) ||
      a.symbol.localeCompare(b.symbol),
  );
}
