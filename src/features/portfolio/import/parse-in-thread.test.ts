import assert from 'node:assert/strict';
import { test } from 'vitest';
import { AppError } from '../../../errors.ts';
import { parseHoldingsFile } from './parse-holdings-file.ts';
import { createFileParser } from './parse-in-thread.ts';

const NO_CHOICES = { kind: null, columns: null };
const createFile = (rowCount: number): string =>
  ['Symbol,Quantity,Cost basis', ...Array.from({ length: rowCount }, (_, index) => `AAPL,${index + 1},10`)].join('\n');

test.for([{ rowCount: 3 }, { rowCount: 5_000 }])(
  'returns what the parser returns when a file has $rowCount rows',
  async ({ rowCount }) => {
    const text = createFile(rowCount);
    assert.deepEqual(await createFileParser()('member', text, NO_CHOICES), parseHoldingsFile(text, NO_CHOICES));
  },
);

test('parses further files in a thread when an earlier one was parsed or failed', async () => {
  const parse = createFileParser();
  const text = createFile(5_000);
  const expected = parseHoldingsFile(text, NO_CHOICES);
  assert.deepEqual(await parse('member', text, NO_CHOICES), expected);
  assert.deepEqual(await parse('member', text, NO_CHOICES), expected);
  // The thread fails on a choice that it cannot use.
  await assert.rejects(parse('member', text, null as never), TypeError);
  assert.deepEqual(await parse('member', text, NO_CHOICES), expected);
});

test('runs timers meanwhile when a file is large', async () => {
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, 1);
  await createFileParser()('member', createFile(10_000), NO_CHOICES);
  clearInterval(timer);
  assert.ok(ticks > 0);
});

test('rejects a further file when four files of the member wait', async () => {
  const parse = createFileParser();
  const text = createFile(5_000);
  const results = await Promise.allSettled(Array.from({ length: 6 }, () => parse('member', text, NO_CHOICES)));
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled', 'fulfilled', 'rejected'],
  );
  const [rejected] = results.filter((result) => result.status === 'rejected');
  assert.ok(rejected?.reason instanceof AppError && rejected.reason.code === 'UNAVAILABLE');
});

test('parses the file of another member after one file of the first', async () => {
  const parse = createFileParser();
  const text = createFile(5_000);
  const finished: string[] = [];
  const start = (idpId: string) => parse(idpId, text, NO_CHOICES).then(() => finished.push(idpId));
  await Promise.all([start('first'), start('first'), start('first'), start('second')]);
  assert.deepEqual(finished, ['first', 'second', 'first', 'first']);
});
