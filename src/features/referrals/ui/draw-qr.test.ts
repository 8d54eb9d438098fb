import assert from 'node:assert/strict';
import { test } from 'vitest';
import { decodeQR } from 'qr/decode.js';
import { generateLink, referralUrl } from '../referral-link.ts';
import { drawQr } from '../../../ui/kit/draw-qr.ts';

/** Pixels per module of the picture. */
const SCALE = 4;

/** Returns RGBA pixels of a path of square modules, dark on light. */
function rasterize({ path, size }: { path: string; size: number }) {
  const width = size * SCALE;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, left, top] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g))
    for (let y = Number(top) * SCALE; y < (Number(top) + 1) * SCALE; y += 1) {
      const start = (y * width + Number(left) * SCALE) * 4;
      data.fill(0, start, start + SCALE * 4);
    }
  return { width, height: width, data };
}

test('draws a picture from which the link can be decoded', () => {
  for (const base of [
    'http://127.0.0.1:3000',
    'https://tally.example.com',
    `https://${'long.'.repeat(20)}example.com`,
  ]) {
    const url = referralUrl(base, generateLink());
    assert.equal(decodeQR(rasterize(drawQr(url))), url);
  }
});

test('leaves four light modules on each side', () => {
  const { path, size } = drawQr('https://tally.example.com');
  const coordinates = [...path.matchAll(/M(\d+) (\d+)/g)].flatMap(([, x, y]) => [Number(x), Number(y)]);
  assert.equal(Math.min(...coordinates), 4);
  assert.equal(Math.max(...coordinates), size - 5);
});
