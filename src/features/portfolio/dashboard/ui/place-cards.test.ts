import assert from 'node:assert/strict';
import { test } from 'vitest';
import { placeAgain, placeCards } from './place-cards.ts';

const GAP = 20;
const narrow = (height: number) => ({ size: 'narrow', height }) as const;
const wide = (height: number) => ({ size: 'wide', height }) as const;
const row = { size: 'row', height: 900 } as const;
/** Returns `first column + number of columns @ top` of each card. */
const place = (cards: Parameters<typeof placeCards>[0], columns: number): string[] =>
  placeCards(cards, columns, GAP).map(({ first, count, top }) => `${first}+${count}@${top}`);

test('places each card below the column that ends first', () => {
  assert.deepEqual(place([wide(560), narrow(230), narrow(200), narrow(310), narrow(420), narrow(100), row], 3), [
    '0+2@0',
    '2+1@0',
    '2+1@250',
    '2+1@470',
    '0+1@580',
    '1+1@580',
    '0+3@1020',
  ]);
  assert.deepEqual(place([wide(560), narrow(230), narrow(600), narrow(300), row], 2), [
    '0+2@0',
    '0+1@580',
    '1+1@580',
    '0+1@830',
    '0+2@1200',
  ]);
});

test('spans columns with the last card before a full row when they end nearly as high', () => {
  assert.deepEqual(place([narrow(400), narrow(420), narrow(500), narrow(300), row], 3), [
    '0+1@0',
    '1+1@0',
    '2+1@0',
    '0+3@520',
    '0+3@840',
  ]);
  assert.deepEqual(place([narrow(400), narrow(300)], 3), ['0+1@0', '1+2@0']);
  assert.deepEqual(place([wide(560), row], 3), ['0+3@0', '0+3@580']);
  assert.deepEqual(place([], 3), []);
});

test('spans columns with the last card before one that is as wide as the grid', () => {
  assert.deepEqual(place([narrow(400), narrow(420), narrow(300), wide(500)], 2), [
    '0+1@0',
    '1+1@0',
    '0+2@440',
    '0+2@760',
  ]);
});

test('keeps the columns of cards when one of them grows', () => {
  const cards = [narrow(100), narrow(120), narrow(300)];
  const before = placeCards(cards, 2, GAP);
  assert.deepEqual(
    before.map(({ first }) => first),
    [0, 1, 0],
  );
  const after = placeCards([narrow(800), narrow(120), narrow(300)], 2, GAP, before);
  assert.deepEqual(after, [
    { first: 0, count: 1, top: 0 },
    { first: 1, count: 1, top: 0 },
    { first: 0, count: 2, top: 820 },
  ]);
});

test('changes the columns of cards only when others shorten the grid by 100 px', () => {
  const earlier = placeCards([narrow(100), narrow(120), narrow(300), narrow(500)], 2, GAP);
  const findFirst = (...heights: number[]): number[] =>
    placeAgain(heights.map(narrow), 2, GAP, earlier).map(({ first }) => first);
  assert.deepEqual(findFirst(200, 150, 300, 100), [0, 1, 0, 1], 'others are 50 px shorter');
  assert.deepEqual(findFirst(500, 100, 300, 100), [0, 1, 1, 0], 'others are 200 px shorter');
});

test('overlaps no two cards in any order', () => {
  const cards = [wide(560), narrow(230), narrow(424), narrow(90), row];
  const orders = cards.flatMap((_, shift) => [
    [...cards.slice(shift), ...cards.slice(0, shift)],
    [...cards.slice(shift), ...cards.slice(0, shift)].toReversed(),
  ]);
  for (const order of orders)
    for (const columns of [2, 3]) {
      const boxes = placeCards(order, columns, GAP).map((place, index) => ({ ...place, ...order[index]! }));
      for (const [index, box] of boxes.entries())
        for (const other of boxes.slice(index + 1)) {
          const sharesColumn = box.first < other.first + other.count && other.first < box.first + box.count;
          assert.ok(!sharesColumn || other.top >= box.top + box.height + GAP, JSON.stringify({ box, other }));
        }
    }
});
