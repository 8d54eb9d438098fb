/** Who needs whom. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Everything that can be reached along the arrows, the beginning only by a way back to it. */
function reachedFrom(graph: Graph, start: string): Set<string> {
  const reached = new Set<string>();
  const waiting = [start];
  for (const name of waiting)
    for (const next of graph.get(name) ?? [])
      if (!reached.has(next)) {
        reached.add(next);
        waiting.push(next);
      }
  return reached;
}

/** Groups of those that need each other, directly or over others. */
export function circlesOf(graph: Graph): string[][] {
  const reach = new Map([...graph.keys()].map((name) => [name, reachedFrom(graph, name)]));
  const circles = [...reach]
    .filter(([name, reached]) => reached.has(name))
    .map(([name, reached]) => [...reached].filter((other) => reach.get(other)?.has(name)).sort());
  return [...new Map(circles.map((circle) => [circle.join(), circle])).values()];
}

/** The floors from the ground: each above all that it needs. Those of a circle are left out of each other's way. */
export function floorsOf(graph: Graph): string[][] {
  const heights = new Map<string, number>();
  const height = (name: string, below: readonly string[]): number => {
    const known = heights.get(name);
    if (known !== undefined) return known;
    const under = [...(graph.get(name) ?? [])].filter((next) => next !== name && !below.includes(next));
    const found = Math.max(-1, ...under.map((next) => height(next, [...below, name]))) + 1;
    heights.set(name, found);
    return found;
  };
  const floors: string[][] = [];
  for (const name of graph.keys()) (floors[height(name, [])] ??= []).push(name);
  return floors.map((floor) => floor.sort());
}
