/** Date of a market day and the close on it. */
type Close = readonly [day: string, close: number];

/** Returns the change in percent from the first to the last close, or null for fewer than two closes. */
export function computeChangePercent(closes: readonly Close[] | null): number | null {
  const first = closes?.[0]?.[1];
  const last = closes?.at(-1)?.[1];
  return !closes || closes.length < 2 || !first || last === undefined ? null : (last / first - 1) * 100;
}

/** Returns the text color class of a change. `flatClass` is the class of no change. */
export function getTrendClass(change: number, flatClass = 'text-ink-faint'): string {
  if (change > 0) return 'text-gain';
  return change < 0 ? 'text-loss' : flatClass;
}

export type ChangeDirection = 'up' | 'down' | 'none';

export const toneClasses = { up: 'text-gain', down: 'text-loss', none: 'text-ink-faint' } as const;

/** Returns the direction of a change in percent as displayed. A figure that rounds to zero has no direction. */
export function getDirection(change: number | null): ChangeDirection {
  if (change === null || Math.abs(change) < 0.005) return 'none';
  return change > 0 ? 'up' : 'down';
}
