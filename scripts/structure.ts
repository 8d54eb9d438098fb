/**
 * `npm run lab -- structure [root]`: the rooms of `src/` by floors, each above all that it imports, with their lines;
 * circles, also those that closures of app.ts hide; and what app.ts hands to whom. Of another checkout with `root`, so
 * that a change can be seen before and after.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readSource } from './house/read-source.ts';
import { isCode, readTree } from './house/tree.ts';
import { circlesOf, floorsOf } from './structure/graph.ts';
import { readHandOvers } from './structure/hand-overs.ts';
import { readRooms } from './structure/rooms.ts';

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '..'));
const { arrows, lines } = readRooms(
  readTree(root)
    .filter(({ path }) => isCode(path))
    .map(readSource),
);
const count = [...arrows.values()].reduce((sum, to) => sum + to.size, 0);
console.log(`${arrows.size} rooms, ${count} arrows, circles: ${inWords(circlesOf(arrows))}`);
for (const [height, rooms] of [...floorsOf(arrows).entries()].toReversed())
  console.log(
    `${String(height + 1).padStart(2)}  ${rooms.map((room) => `${room} ${lines.get(room) ?? 0}`).join(' · ')}`,
  );

const { handed, later } = readHandOvers(readFileSync(join(root, 'src/app.ts'), 'utf8'));
console.log(
  `\napp.ts: circles: ${inWords(circlesOf(handed))}; used above the line that makes it: ${later.join(', ') || 'none'}`,
);
for (const [name, from] of handed) if (from.size > 0) console.log(`  ${name} ← ${[...from].join(', ')}`);

function inWords(circles: readonly string[][]): string {
  return circles.map((circle) => circle.join(' ↔ ')).join('; ') || 'none';
}
