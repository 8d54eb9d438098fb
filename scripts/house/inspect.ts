import { findForwardReferences } from './app-list.ts';
import { findIgnored } from './ignored-files.ts';
import { findCycles } from './import-cycles.ts';
import { findBrokenWalls } from './import-walls.ts';
import { findLeftovers } from './leftovers.ts';
import { findSideDoors } from './one-door.ts';
import { findLongLines } from './long-lines.ts';
import { findUnknownCommands } from './npm-commands.ts';
import { findWrongPackages, readManifest } from './packages.ts';
import type { Problem } from './problem.ts';
import { readSource } from './read-source.ts';
import { findUnusedExports } from './unused-exports.ts';
import { findRetiredWords } from './retired-words.ts';
import { findOversized, measureFunctions, measureSizes, type Sizes } from './sizes.ts';
import { findForeignTables } from './table-walls.ts';
import { isCode, readTree } from './tree.ts';

/** Every broken rule of the house under `root`, by path, with the sizes of its files. */
export function inspect(root: string): { problems: Problem[]; sizes: Sizes; functions: Sizes } {
  const files = readTree(root);
  const sources = files.filter(({ path }) => isCode(path)).map(readSource);
  const problems = [
    ...findBrokenWalls(sources),
    ...findCycles(sources),
    ...findForwardReferences(sources),
    ...findWrongPackages(sources, readManifest(files)),
    ...findSideDoors(sources),
    ...findForeignTables(sources, files),
    ...findOversized(files),
    ...findLeftovers(files, sources),
    ...findUnusedExports(sources),
    ...findLongLines(files),
    ...findRetiredWords(files),
    ...findUnknownCommands(files),
    ...findIgnored(root, sources),
  ];
  problems.sort((a, b) => a.path.localeCompare(b.path) || (a.line ?? 0) - (b.line ?? 0));
  return { problems, sizes: measureSizes(files), functions: measureFunctions(sources) };
}
