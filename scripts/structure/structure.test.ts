import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readSource } from '../house/read-source.ts';
import { isCode, isTest, readTree } from '../house/tree.ts';
import { circlesOf, floorsOf, type Graph } from './graph.ts';
import { readHandOvers } from './hand-overs.ts';
import { readRooms } from './rooms.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const graph = (arrows: Record<string, string[]>): Graph =>
  new Map(Object.entries(arrows).map(([from, to]) => [from, new Set(to)]));

test('each room stands above all that it imports, and none in a circle of rooms', () => {
  const sources = readTree(root)
    .filter(({ path }) => path.startsWith('src/') && isCode(path) && !isTest(path))
    .map(readSource);
  const { arrows } = readRooms(sources);
  assert.deepEqual(circlesOf(arrows), []);
  const height = new Map(floorsOf(arrows).flatMap((rooms, floor) => rooms.map((room) => [room, floor] as const)));
  assert.ok(height.size > 20);
  for (const [from, to] of arrows)
    for (const room of to) assert.ok(height.get(from)! > height.get(room)!, `${from} → ${room}`);
});

test('app.ts hands everything over from the bottom to the top', () => {
  const { handed, later } = readHandOvers(readFileSync(`${root}src/app.ts`, 'utf8'));
  assert.ok(handed.size > 15);
  assert.deepEqual([circlesOf(handed), later], [[], []]);
});

test('a circle that closures hide is found, by way of what was taken apart too', () => {
  const { handed, later } = readHandOvers(`export function createSlices() {
  const events = createEvents({ knownOf: (member) => list.knownOf(member) });
  const { capture } = events;
  const list = createList({ capture, name: 'events' });
  return { events, list };
}`);
  assert.deepEqual(circlesOf(handed), [['events', 'list']]);
  assert.deepEqual(later, ['events → list']);
});

test('a circle over three rooms is one circle, and the rest stands on its floors', () => {
  const arrows = graph({ top: ['a', 'ground'], a: ['b'], b: ['c'], c: ['a'], ground: [] });
  assert.deepEqual(circlesOf(arrows), [['a', 'b', 'c']]);
  assert.deepEqual(floorsOf(graph({ top: ['a', 'ground'], a: ['ground'], ground: [] })), [['ground'], ['a'], ['top']]);
});
