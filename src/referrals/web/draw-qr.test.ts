import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeQR } from 'qr/decode.js';
import { drawLink, referralUrl } from '../referral-link.ts';
import { drawQr } from './draw-qr.ts';

/** Pixels for each module of the picture. */
const SCALE = 4;

/** What a scanner sees of a path whose edges are straight and on whole modules, with the light edge around it. */
function rasterize({ path, size }: { path: string; size: number }) {
  const loops = [...path.matchAll(/M([^Z]+)Z/g)].map(([, points]) =>
    points!.split('L').map((point) => point.split(' ').map(Number) as [number, number]),
  );
  const width = (size + 8) * SCALE;
  const data = new Uint8Array(width * width * 4).fill(255);
  const place = (pixel: number): number => (pixel + 0.5) / SCALE - 4;
  for (let y = 0; y < width; y += 1) {
    const edges = crossed(loops, place(y));
    for (let x = 0; x < width; x += 1) {
      // An odd number of edges to the left of a point means inside.
      const left = edges.filter((edge) => edge < place(x)).length;
      if (left % 2 === 1) data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
    }
  }
  return { width, height: width, data };
}

/** Where a line across the picture meets upright edges. */
function crossed(loops: readonly (readonly [number, number])[][], y: number): number[] {
  return loops.flatMap((points) =>
    points.flatMap(([ax, ay], index) => {
      const [bx, by] = points[(index + 1) % points.length]!;
      return ay > y !== by > y && ax === bx ? [ax] : [];
    }),
  );
}

test('another library reads the link from the picture', () => {
  for (const base of [
    'http://127.0.0.1:3000',
    'https://tally.example.com',
    `https://${'long.'.repeat(20)}example.com`,
  ]) {
    const url = referralUrl(base, drawLink());
    assert.equal(decodeQR(rasterize(drawQr(url))), url);
  }
});
