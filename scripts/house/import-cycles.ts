import { resolveImport } from './import-walls.ts';
import type { Problem } from './problem.ts';
import type { Source } from './read-source.ts';

/** Each cycle of imports once, type-only imports included; the shortest way round is shown. */
export function findCycles(sources: readonly Source[]): Problem[] {
  const graph = new Map<string, string[]>();
  for (const source of sources) {
    const targets = source.imports.flatMap(({ specifier }) =>
      specifier?.startsWith('.') ? [resolveImport(source.path, specifier)] : [],
    );
    graph.set(source.path, targets);
  }
  const seen = new Set<string>();
  const problems: Problem[] = [];
  for (const start of graph.keys()) {
    if (seen.has(start)) continue;
    const way = shortestWayBack(graph, start);
    if (!way) continue;
    for (const path of way) seen.add(path);
    problems.push({
      path: start,
      rule: 'cycles',
      message:
        `imports itself by way of ${[...way.slice(1), start].join(' → ')}. Neither file can be read alone: ` +
        'move what both need into a third.',
    });
  }
  return problems;
}

function shortestWayBack(graph: ReadonlyMap<string, readonly string[]>, start: string): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const path of queue) {
    for (const next of graph.get(path) ?? []) {
      if (next === start) {
        const way = [path];
        while (way[0] !== start) way.unshift(cameFrom.get(way[0]!)!);
        return way;
      }
      if (!graph.has(next) || cameFrom.has(next)) continue;
      cameFrom.set(next, path);
      queue.push(next);
    }
  }
  return undefined;
}
