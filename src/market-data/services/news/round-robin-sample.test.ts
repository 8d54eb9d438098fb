import assert from 'node:assert/strict';
import { test } from 'vitest';
import { roundRobinSample } from './round-robin-sample.ts';

const symbols = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${letter}${index}`);

test('returns all symbols once when they fit', () => {
  assert.deepEqual(
    roundRobinSample(
      [
        ['A', 'B'],
        ['B', 'C'],
      ],
      3,
      7,
    ),
    ['A', 'B', 'C'],
  );
  assert.deepEqual(roundRobinSample([[], []], 3, 7), []);
});

test('gives half to each list and passes unused places to the longer list', () => {
  for (let round = 0; round < 50; round += 1) {
    const even = roundRobinSample([symbols('H', 200), symbols('W', 50)], 20, round);
    assert.deepEqual(
      [even.length, new Set(even).size, even.filter((symbol) => symbol.startsWith('W')).length],
      [20, 20, 10],
    );
    const sample = roundRobinSample([symbols('H', 200), symbols('W', 3)], 20, round);
    assert.deepEqual(sample.filter((symbol) => symbol.startsWith('W')).sort(), ['W0', 'W1', 'W2']);
    assert.equal(sample.length, 20);
  }
});

test('reaches every symbol soon, whether rounds are ten minutes or a day apart', () => {
  for (const step of [1, 144]) {
    const chosen = new Set<string>();
    for (let round = 0; round < 80; round += 1)
      for (const symbol of roundRobinSample([symbols('H', 100), symbols('W', 100)], 20, 2_985_000 + round * step))
        chosen.add(symbol);
    assert.equal(chosen.size, 200, `steps of ${step}`);
  }
});
