import assert from 'node:assert/strict';
import { test } from 'vitest';
import { readFile } from './read-file.ts';

const read = async (...bytes: number[]): Promise<string> => {
  const result = await readFile(new File([new Uint8Array(bytes)], 'positions.csv'));
  return result.ok ? result.tables.map(({ text }) => text).join() : result.message;
};

const encodeUtf16 = (text: string, isBigEndian: boolean): number[] =>
  [...text].flatMap((character) => {
    const unit = character.charCodeAt(0);
    return isBigEndian ? [unit >> 8, unit & 0xff] : [unit & 0xff, unit >> 8];
  });

test.each([
  ['UTF-8 with a byte order mark', [0xef, 0xbb, 0xbf, 0x41, 0xe2, 0x82, 0xac], 'A€'],
  ['UTF-8', [0x41, 0xc3, 0xbc], 'Aü'],
  ['UTF-16 with a byte order mark', [0xff, 0xfe, 0x41, 0, 0xac, 0x20], 'A€'],
  ['UTF-16 in big endian with a byte order mark', [0xfe, 0xff, 0, 0x41, 0x20, 0xac], 'A€'],
  ['UTF-16', encodeUtf16('Stück;€;10', false), 'Stück;€;10'],
  ['UTF-16 in big endian', encodeUtf16('Stück;€;10', true), 'Stück;€;10'],
  ['UTF-16 that begins with a character beyond Latin', encodeUtf16('€;Stück;10', false), '€;Stück;10'],
  ['the encoding of Windows', [0x41, 0x80, 0xfc], 'A€ü'],
])('reads %s', async (_encoding, bytes, text) => {
  assert.equal(await read(...bytes), text);
});

test.each([
  ['a PDF', [...Buffer.from('%PDF-1.7')], /^This is a PDF\. Export a CSV or Excel file/],
  ['a PNG', [0x89, 0x50, 0x4e, 0x47, 0x0d], /^This is a picture\. Export a CSV or Excel file/],
  ['a JPEG', [0xff, 0xd8, 0xff, 0xe0], /^This is a picture\./],
  ['a picture of a phone', [0, 0, 0, 0x18, ...Buffer.from('ftypheic')], /^This is a picture\./],
  ['an .xls file', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1], /old or has a password\. Save it as \.xlsx or CSV/],
  ['a compressed file', [0x1f, 0x8b, 8], /Unpack it/],
  ['an empty file', [0x20, 0x0a], /empty/],
  ['a program', [0x7f, 0x45, 0, 0x46, 1, 0, 0x41, 0x42, 0x43], /not a text file/],
])('says what to do when the file is %s', async (_kind, bytes, message) => {
  assert.match(await read(...bytes), message);
});

test('refuses a file by its size before reading it', async () => {
  const text = await readFile(new File([new Uint8Array(2 * 1024 * 1024 + 1).fill(0x41)], 'large.csv'));
  assert.deepEqual(text, { ok: false, message: 'The file is larger than 1 MB. Export fewer rows at a time.' });
  const unread = new File([new Uint8Array(5 * 1024 * 1024 + 1)], 'large.xlsx');
  unread.arrayBuffer = () => assert.fail('the file is read');
  const workbook = await readFile(unread);
  assert.deepEqual(workbook, { ok: false, message: 'The file is too large. Export fewer rows at a time.' });
});
