import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createPng } from '../../../../test/support/image-bytes.ts';
import { isTruncatedPng, readImageType } from './image-format.ts';

/** Returns a chunk of a PNG, whose checksum is not checked. */
function createChunk(type: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write(type, 4);
  return Buffer.concat([head, data, Buffer.alloc(4)]);
}

const pixels = createChunk('IDAT', Buffer.alloc(20, 1));
const header = Uint8Array.from(createPng(64, 48));
const png = Buffer.concat([header, pixels, createChunk('IEND')]);

test('reads the type of an image by its first bytes', () => {
  const rows: readonly (readonly [start: string, type: string | undefined])[] = [
    ['\x89PNG\r\n\x1a\n\0\0\0\0', 'image/png'],
    ['\xff\xd8\xff\xe0\0\x10JFIF\0\x01', 'image/jpeg'],
    ['GIF89a\0\0\0\0\0\0', 'image/gif'],
    ['RIFF\0\0\0\0WEBP', 'image/webp'],
    ['RIFF\0\0\0\0WAVE', undefined],
    ['\x89PNG', undefined],
  ];
  for (const [start, type] of rows) assert.equal(readImageType(Buffer.from(start, 'latin1')), type, start);
});

test('finds a PNG truncated when it ends within a chunk after its header', () => {
  assert.equal(isTruncatedPng(png), false);
  assert.equal(isTruncatedPng(Buffer.concat([header, pixels.subarray(0, -5)])), true);
  assert.equal(isTruncatedPng(Buffer.from('GIF89a')), false);
});

test('allows other bytes after the last chunk of a PNG', () => {
  assert.equal(isTruncatedPng(Buffer.concat([png, Buffer.alloc(40, 0x7f)])), false);
});
