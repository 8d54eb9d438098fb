/**
 * Returns at most `maxSymbols` symbols, alternating between the lists, so that a long list never displaces another. If
 * they do not all fit, each `round` (a count) starts at another index of each list, so that all are reached soon.
 */
export function roundRobinSample(lists: readonly (readonly string[])[], maxSymbols: number, round: number): string[] {
  if (new Set(lists.flat()).size <= maxSymbols) return [...new Set(lists.flat())];
  const chosen = new Set<string>();
  const rotated = lists.map((list) => rotate(list, getStartIndex(round, list.length)));
  for (let index = 0; index < Math.max(...rotated.map(({ length }) => length)); index += 1) {
    for (const list of rotated) {
      if (chosen.size === maxSymbols) return [...chosen];
      if (index < list.length) chosen.add(list[index]!);
    }
  }
  return [...chosen];
}

/** Multiples of an irrational number are spread evenly. A plain count would hit the same indexes each day. */
const getStartIndex = (round: number, length: number): number => Math.floor(((round * Math.SQRT2) % 1) * length);

const rotate = (list: readonly string[], index: number): string[] => [...list.slice(index), ...list.slice(0, index)];
