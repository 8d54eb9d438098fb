/**
 * At most `most` symbols, alternating between the lists, so that a long one never crowds another out. Where they do not
 * all fit, each `round` (a count) begins at another place of each list, so that all are reached before long.
 */
export function fairShare(lists: readonly (readonly string[])[], most: number, round: number): string[] {
  if (new Set(lists.flat()).size <= most) return [...new Set(lists.flat())];
  const chosen = new Set<string>();
  const rotated = lists.map((list) => fromPlace(list, startOf(round, list.length)));
  for (let place = 0; place < Math.max(...rotated.map(({ length }) => length)); place += 1) {
    for (const list of rotated) {
      if (chosen.size === most) return [...chosen];
      if (place < list.length) chosen.add(list[place]!);
    }
  }
  return [...chosen];
}

/** Multiples of an irrational number spread evenly; a plain count would meet the same places again each day. */
const startOf = (round: number, length: number): number => Math.floor(((round * Math.SQRT2) % 1) * length);

const fromPlace = (list: readonly string[], place: number): string[] => [...list.slice(place), ...list.slice(0, place)];
