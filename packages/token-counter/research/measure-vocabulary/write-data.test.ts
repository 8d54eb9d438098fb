import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'vitest';
import { decodePieces, pieceAt } from '../../src/tokenizer/pieces.ts';
import { encodePieces, writeData } from './write-data.ts';

const pieces = [
  '\u0002',
  '\u0003',
  '\u0002the\u0003',
  '\u0002then\u0003',
  '\u0004\u0002the',
  '\n'.repeat(64),
  '\n'.repeat(96),
  "'s\u0003",
  '\\',
  '\u{1f600}',
  'é',
  'é'.normalize('NFD'),
  '\u2028',
  '\ufffd',
  'ด้',
  '中',
];

test('encodes pieces so that the counter decodes them in sorted order', () => {
  const decoded = decodePieces(encodePieces(pieces), []);
  const texts = Array.from({ length: decoded.count }, (_, index) => pieceAt(decoded, index));
  assert.deepEqual(texts, [...pieces].sort());
});

test('writes a module with equal strings and only printable characters', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vocabulary-'));
  try {
    const path = writeData(folder, { vocabulary: 'v4.7', source: 'none@0', date: '2026-01-01' }, pieces, [
      'e290',
      'f09f98',
    ]);
    const module = (await import(pathToFileURL(path).href)) as { pieces: string; bytePrefixes: string };
    assert.equal(module.pieces, encodePieces(pieces));
    assert.equal(module.bytePrefixes, 'e290 f09f98');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
