import { afterAll, test } from 'vitest';
import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';
import { createPdfParser } from './pdf-parser.ts';
import { DEFAULT_PDF_LIMITS } from './pdf-result.ts';
import { readPages } from './read-pages.ts';
import { createPdf } from '../../../../test/support/pdf-bytes.ts';

// Runs in a process of its own: it measures the memory of the process.

/** How long reading takes is the machine's: only the tests of those limits set some that are met. */
const longTimeout = { ...DEFAULT_PDF_LIMITS, processorMilliseconds: 300_000, elapsedMilliseconds: 300_000 };
const parser = createPdfParser({ ...longTimeout, pages: 5, characters: 2000, megabytes: 100 });
afterAll(() => parser.close());

test('reads the size and text of each page', async () => {
  const result = await parser.parse(
    createPdf([['Hello, world!'], ['Second page', 'and its second line']], { box: [595, 842] }),
  );
  assert.deepEqual(result, {
    ok: true,
    pages: [
      { width: 595, height: 842, text: 'Hello, world!' },
      { width: 595, height: 842, text: 'Second page\nand its second line' },
    ],
  });
});

test('keeps a blank that is drawn at the end of a line, and makes none', async () => {
  const result = await parser.parse(createPdf([['One ', 'two', 'three ']]));
  assert.equal(result.ok && result.pages[0]?.text, 'One \ntwo\nthree');
});

test('a rotated page is as large as it is shown', async () => {
  const result = await parser.parse(createPdf([['x']], { rotate: 90 }));
  assert.deepEqual(result.ok && [result.pages[0]?.width, result.pages[0]?.height], [792, 612]);
});

test('refuses what is no PDF, and what is cut off', async () => {
  const validPdf = createPdf([['Hello']]);
  for (const bytes of [new Uint8Array(0), new TextEncoder().encode('no pdf at all'), validPdf.slice(0, 60)]) {
    assert.deepEqual(await parser.parse(bytes), { ok: false, problem: 'malformed' });
  }
});

test('refuses a document that needs a password', async () => {
  assert.deepEqual(await parser.parse(createPdf([['secret']], { encrypted: true })), {
    ok: false,
    problem: 'encrypted',
  });
});

test('refuses more pages and more text than the limits', async () => {
  assert.deepEqual(await parser.parse(createPdf(Array.from({ length: 6 }, () => ['x']))), {
    ok: false,
    problem: 'too_many_pages',
  });
  assert.deepEqual(await parser.parse(createPdf([Array.from({ length: 30 }, () => 'x'.repeat(70))])), {
    ok: false,
    problem: 'too_much_text',
  });
});

test(
  'ends a decompression bomb before it fills the memory, and reads the next document',
  { tags: ['slow'] },
  async () => {
    const decompressionBomb = createPdf([['x']], { padding: 250_000_000 });
    assert.ok(decompressionBomb.length < 1_000_000);
    const before = process.memoryUsage().rss;
    assert.deepEqual(await parser.parse(decompressionBomb), { ok: false, problem: 'too_much_memory' });
    assert.ok(process.memoryUsage().rss - before < 600_000_000, 'the bomb was unpacked');
    assert.equal((await parser.parse(createPdf([['still here']]))).ok, true);
  },
);

for (const limit of ['processorMilliseconds', 'elapsedMilliseconds'])
  test(`gives up on a document that exceeds its ${limit}`, async () => {
    const timeLimitedParser = createPdfParser({ ...longTimeout, [limit]: 1 });
    assert.deepEqual(await timeLimitedParser.parse(createPdf([['x']], { padding: 60_000_000 })), {
      ok: false,
      problem: 'too_slow',
    });
    await timeLimitedParser.close();
  });

test('reads a document on a machine that is busy for longer than its processor time', { tags: ['slow'] }, async () => {
  const busyParser = createPdfParser(DEFAULT_PDF_LIMITS);
  const result = busyParser.parse(createPdf([['Hello']]));
  await new Promise((resolve) => setImmediate(resolve));
  // Neither this thread nor its timers go on for longer than 10 seconds, the default limit.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_500);
  assert.equal((await result).ok, true);
  await busyParser.close();
});

test('stops when the caller has gone, before and during the work', { tags: ['slow'] }, async () => {
  assert.deepEqual(await parser.parse(createPdf([['x']]), AbortSignal.abort()), { ok: false, problem: 'cancelled' });
  const abortController = new AbortController();
  const result = parser.parse(createPdf([['x']], { padding: 60_000_000 }), abortController.signal);
  // By now the thread has the document, and no answer of it can have been heard.
  await new Promise((resolve) => process.nextTick(resolve));
  abortController.abort();
  assert.deepEqual(await result, { ok: false, problem: 'cancelled' });
  assert.equal((await parser.parse(createPdf([['next']]))).ok, true);
});

test('closing answers what waits', async () => {
  const closing = createPdfParser(longTimeout);
  const waiting = [closing.parse(createPdf([['a']], { padding: 50_000_000 })), closing.parse(createPdf([['b']]))];
  await closing.close();
  for (const result of await Promise.all(waiting)) assert.deepEqual(result, { ok: false, problem: 'cancelled' });
});

test('damaged bytes never throw', async () => {
  const validPdf = createPdf([['Hello, world!', 'more text']]);
  for (let seed = 1; seed <= 60; seed++) {
    const bytes = validPdf.slice();
    for (let i = 1; i <= 8; i++) bytes[(seed * 7919 * i) % bytes.length] = (seed * i * 31) & 0xff;
    const result = await readPages(bytes, DEFAULT_PDF_LIMITS);
    assert.equal(typeof result.ok, 'boolean');
  }
});

test('the fixture is compressed as real files are', () => {
  assert.ok(
    Buffer.from(createPdf([['Hello']])).includes(
      deflateSync(Buffer.from('BT /F1 12 Tf 72 700 Td (Hello) Tj ET\n'), { level: 9 }),
    ),
  );
});
