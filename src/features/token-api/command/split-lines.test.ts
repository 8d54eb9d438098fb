import assert from 'node:assert/strict';
import { test } from 'vitest';
import { splitLines } from './split-lines.ts';

async function split(...chunks: string[]): Promise<[number, string][]> {
  const lines: [number, string][] = [];
  for await (const { number, bytes } of splitLines(chunks.map((chunk) => Buffer.from(chunk))))
    lines.push([number, bytes.toString()]);
  return lines;
}

test('joins a line that is spread over chunks and skips blank lines', async () => {
  assert.deepEqual(await split('{"a"', ':1}\n\n \t\r\n{"b', '":2}'), [
    [1, '{"a":1}'],
    [4, '{"b":2}'],
  ]);
});

test('ends lines only at line feeds', async () => {
  assert.deepEqual(await split('"a\u2028b\u0085c"\r\n"d"\n'), [
    [1, '"a\u2028b\u0085c"\r'],
    [2, '"d"'],
  ]);
});

test('yields nothing when the stream is empty', async () => {
  assert.deepEqual(await split(), []);
  assert.deepEqual(await split('\n\n'), []);
});
