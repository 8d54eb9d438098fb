import type { HeldPosition } from '../../../holdings/ui/page/list-positions.ts';

/** Position with a day change. */
export type Mover = HeldPosition & { change_1d: number };

/** Returns the positions that moved today, the largest change in percent first, and how many have no day change. */
export function listMovers(positions: readonly HeldPosition[]): { movers: Mover[]; withoutChange: number } {
  const known = positions.filter((position): position is Mover => position.change_1d !== null);
  return {
    movers: known
      .filter(({ change_1d: change }) => change !== 0)
      .sort((a, b) => Math.abs(b.change_1d) - Math.abs(a.change_1d)),
    withoutChange: positions.length - known.length,
  };
}
