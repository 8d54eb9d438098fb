import assert from 'node:assert/strict';
import { test } from 'vitest';
import { decodePieces, pieceAt, type Pieces } from './pieces.ts';

const all = (pieces: Pieces): string[] => Array.from({ length: pieces.count }, (_, index) => pieceAt(pieces, index));
const encoded = ['0apple', '5sauce', '1rt', '0b', '1c', '0zoo'].map((entry) => `${entry}\u0001`).join('');

test('decodes front-coded pieces', () => {
  assert.deepEqual(all(decodePieces(encoded, [])), ['apple', 'applesauce', 'art', 'b', 'bc', 'zoo']);
});

test('merges additions in order without duplicates', () => {
  assert.deepEqual(all(decodePieces(encoded, ['zz', 'a', 'art', 'b\u0003', 'zz'])), [
    'a',
    'apple',
    'applesauce',
    'art',
    'b',
    'b\u0003',
    'bc',
    'zoo',
    'zz',
  ]);
  assert.deepEqual(all(decodePieces(encoded, ['b', 'zoo'])), ['apple', 'applesauce', 'art', 'b', 'bc', 'zoo']);
});
