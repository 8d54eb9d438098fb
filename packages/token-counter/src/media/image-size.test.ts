import { test } from 'vitest';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readImageSize } from './image-size.ts';
import {
  createGifHeader,
  createJpeg,
  createPng,
  createSegment,
  createFrameHeader,
  createWebp,
} from '../../../../test/support/image-bytes.ts';

const readSizeOfBytes = (bytes: readonly number[]): unknown => readImageSize(Buffer.from(bytes).toString('base64'));

test("reads PNG, interlaced PNG and Apple's variant with a chunk before the header", () => {
  assert.deepEqual(readSizeOfBytes(createPng(640, 480)), { width: 640, height: 480 });
  assert.deepEqual(readSizeOfBytes(createPng(8000, 1, { interlaced: true })), { width: 8000, height: 1 });
  assert.deepEqual(readSizeOfBytes(createPng(70_000, 3, { apple: true })), { width: 70_000, height: 3 });
});

test('reads JPEG with every frame type', () => {
  for (const marker of [0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]) {
    assert.deepEqual(
      readSizeOfBytes(createJpeg([createSegment(0xe0, [1, 2, 3]), createFrameHeader(marker, 1200, 801)])),
      { width: 1200, height: 801 },
    );
  }
});

test('skips the EXIF thumbnail, fill bytes and tables of a JPEG', () => {
  const thumbnail = createJpeg([createFrameHeader(0xc0, 160, 120)]);
  const parts = [
    createSegment(0xe1, [0x45, 0x78, 0x69, 0x66, 0, 0, ...thumbnail]),
    [0xff, 0xff],
    createSegment(
      0xc4,
      Array.from({ length: 60 }, () => 7),
    ),
    createFrameHeader(0xc2, 3024, 4032),
  ];
  assert.deepEqual(readSizeOfBytes(createJpeg(parts)), { width: 3024, height: 4032 });
});

test('reads both versions of GIF', () => {
  assert.deepEqual(readSizeOfBytes(createGifHeader('87a', 300, 2)), { width: 300, height: 2 });
  assert.deepEqual(readSizeOfBytes(createGifHeader('89a', 65535, 65534)), { width: 65535, height: 65534 });
});

test('reads lossy, lossless and extended WebP', () => {
  assert.deepEqual(readSizeOfBytes(createWebp('VP8 ', 550, 368)), { width: 550, height: 368 });
  assert.deepEqual(readSizeOfBytes(createWebp('VP8L', 16384, 9001)), { width: 16384, height: 9001 });
  assert.deepEqual(readSizeOfBytes(createWebp('VP8X', 16777216, 1)), { width: 16777216, height: 1 });
});

test('returns undefined for other formats, truncated headers and sides of 0', () => {
  for (const bytes of [
    [],
    [1, 2, 3],
    [...Buffer.from('BM______________')],
    createPng(0, 5),
    createGifHeader('89a', 5, 0),
    createPng(5, 5).slice(0, 15),
    createJpeg([[0xff, 0xd9]]),
  ]) {
    assert.equal(readSizeOfBytes(bytes), undefined);
  }
  assert.equal(readSizeOfBytes(createJpeg(Array.from({ length: 10_000 }, () => createSegment(0xe0, [])))), undefined);
});

test('reads line-wrapped and URL-safe base64', () => {
  const base64 = Buffer.from(createPng(123, 456)).toString('base64');
  assert.deepEqual(readImageSize(base64.replace(/(.{16})/g, '$1\r\n')), { width: 123, height: 456 });
  assert.deepEqual(readImageSize(base64.replaceAll('+', '-').replaceAll('/', '_')), { width: 123, height: 456 });
});

test('never throws on any string', () => {
  fc.assert(
    fc.property(fc.constantFrom('/9j/', 'iVBORw0KGgo', 'R0lGOD', 'UklGRg', ''), fc.string(), (head, tail) => {
      const size = readImageSize(head + tail);
      assert.ok(size === undefined || (size.width > 0 && size.height > 0));
    }),
    { numRuns: 500 },
  );
});
