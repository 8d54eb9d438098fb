/**
 * At most `most` symbols out of several lists, each list in turn, so that a long one never crowds another out. Where they do not all
 * fit, every `turn` (a count) begins at another place of each list, so that all are reached before long.
 */
export function fairShare(lists: readonly (readonly string[])[], most: number, turn: number): string[] {
  if (new Set(lists.flat()).size <= most) return [...new Set(lists.flat())];
  const chosen = new Set<string>();
  const turned = lists.map((list) => fromPlace(list, startOf(turn, list.length)));
  for (let place = 0; place < Math.max(...turned.map(({ length }) => length)); place += 1) {
    for (const list of turned) {
      if (chosen.size === most) return [...chosen];
      if (place < list.length) chosen.add(list[place]!);
    }
  }
  return [...chosen];
}

/** Multiples of an irrational number spread evenly; a plain count times the share would meet the same places again each day. */
const startOf = (turn: number, length: number): number => Math.floor(((turn * Math.SQRT2) % 1) * length);

const fromPlace = (list: readonly string[], place: number): string[] => [...list.slice(place), ...list.slice(0, place)];
