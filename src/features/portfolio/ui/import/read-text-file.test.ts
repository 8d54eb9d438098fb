import assert from 'node:assert/strict';
import { test } from 'vitest';
import { readTextFile } from './read-text-file.ts';

const read = async (...bytes: number[]): Promise<string> => {
  const result = await readTextFile(new File([new Uint8Array(bytes)], 'positions.csv'));
  return result.ok ? result.text : result.message;
};

test('reads UTF-8, UTF-16 with and without a byte order mark, and the encoding of Windows', async () => {
  assert.equal(await read(0xef, 0xbb, 0xbf, 0x41, 0xe2, 0x82, 0xac), 'A€');
  assert.equal(await read(0xff, 0xfe, 0x41, 0, 0xac, 0x20), 'A€');
  assert.equal(await read(0xfe, 0xff, 0, 0x41, 0x20, 0xac), 'A€');
  assert.equal(await read(0x41, 0, 0xac, 0x20), 'A€');
  assert.equal(await read(0, 0x41, 0x20, 0xac), 'A€');
  assert.equal(await read(0x41, 0x80, 0xfc), 'A€ü');
});

test('says what to do about a workbook, an empty file and a large file', async () => {
  assert.match(await read(0x50, 0x4b, 3, 4), /save it as CSV/);
  assert.match(await read(0x20, 0x0a), /empty/);
  const large = await readTextFile(new File([new Uint8Array(2 * 1024 * 1024 + 1)], 'large.csv'));
  assert.deepEqual(large, { ok: false, message: 'The file is larger than 1 MB. Export positions only.' });
});
