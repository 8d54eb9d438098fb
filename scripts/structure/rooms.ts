import { resolveImport } from '../house/import-walls.ts';
import { placeOf } from '../house/places.ts';
import { isGenerated, isTest } from '../house/tree.ts';
import type { Source } from '../house/read-source.ts';
import type { Graph } from './graph.ts';

interface Rooms {
  /** Who imports whom. */
  arrows: Graph;
  /** Lines that are written by hand, by room. */
  lines: ReadonlyMap<string, number>;
}

/** The rooms of `src/`, with their arrows: what stands in a slice, its screens, all contracts, the parts of the web. */
export function readRooms(sources: readonly Source[]): Rooms {
  const arrows = new Map<string, Set<string>>();
  const lines = new Map<string, number>();
  for (const { path, text, imports } of sources) {
    if (!path.startsWith('src/') || isTest(path)) continue;
    const room = roomOf(path);
    if (!isGenerated(text)) lines.set(room, (lines.get(room) ?? 0) + text.split('\n').length - 1);
    const to = arrows.get(room) ?? new Set();
    arrows.set(room, to);
    for (const { specifier } of imports) {
      if (!specifier?.startsWith('.')) continue;
      const target = resolveImport(path, specifier);
      if (target.startsWith('src/') && roomOf(target) !== room) to.add(roomOf(target));
    }
  }
  return { arrows, lines };
}

function roomOf(path: string): string {
  const { kind, name } = placeOf(path);
  switch (kind) {
    case 'contract':
      return 'contracts';
    case 'slice-web':
      return `${name}/web`;
    case 'web-kit':
      return 'web/ui, web/lib';
    case 'web-shell':
      return 'web';
    case 'counter':
      return 'counter';
    default:
      return path.split('/').length === 2 ? path.slice('src/'.length) : name;
  }
}
