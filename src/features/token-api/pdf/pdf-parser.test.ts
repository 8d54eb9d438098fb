// @module-tag alone
import { afterAll, test } from 'vitest';
import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';
import { createPdfParser, type PdfParser } from './pdf-parser.ts';
import { DEFAULT_PDF_LIMITS } from './pdf-result.ts';
import { readPages } from './read-pages.ts';
import { createPdf } from '../../../../test/support/pdf-bytes.ts';

// The test runs in its own process, because it measures the memory of the process.

/** Long timeouts, because the reading time depends on the machine. Only the tests of timeouts use short ones. */
const longTimeout = { ...DEFAULT_PDF_LIMITS, processorMilliseconds: 300_000, elapsedMilliseconds: 300_000 };
const parser = createPdfParser({ ...longTimeout, pages: 5, characters: 2000, megabytes: 100 });
afterAll(() => parser.close());

const read = async (...document: Parameters<PdfParser['parse']>) => (await parser.parse(...document)).result;

test('reads the size and text of each page', async () => {
  const result = await read(
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

test('keeps a space only when it is drawn at the end of a line', async () => {
  const result = await read(createPdf([['One ', 'two', 'three ']]));
  assert.equal(result.ok && result.pages[0]?.text, 'One \ntwo\nthree');
});

test('returns the displayed size when a page is rotated', async () => {
  const result = await read(createPdf([['x']], { rotate: 90 }));
  assert.deepEqual(result.ok && [result.pages[0]?.width, result.pages[0]?.height], [792, 612]);
});

test('rejects files that are not PDFs or are truncated', async () => {
  const validPdf = createPdf([['Hello']]);
  for (const bytes of [new Uint8Array(0), new TextEncoder().encode('no pdf at all'), validPdf.slice(0, 60)]) {
    assert.deepEqual(await read(bytes), { ok: false, problem: 'malformed' });
  }
});

test('rejects a document that needs a password', async () => {
  assert.deepEqual(await read(createPdf([['secret']], { encrypted: true })), {
    ok: false,
    problem: 'encrypted',
  });
});

test('rejects more pages and more text than the limits', async () => {
  assert.deepEqual(await read(createPdf(Array.from({ length: 6 }, () => ['x']))), {
    ok: false,
    problem: 'too_many_pages',
  });
  assert.deepEqual(await read(createPdf([Array.from({ length: 30 }, () => 'x'.repeat(70))])), {
    ok: false,
    problem: 'too_much_text',
  });
});

test('stops a decompression bomb and reads the next document', { tags: ['slow'] }, async () => {
  const decompressionBomb = createPdf([['x']], { padding: 250_000_000 });
  assert.ok(decompressionBomb.length < 1_000_000);
  const before = process.memoryUsage().rss;
  assert.deepEqual(await read(decompressionBomb), { ok: false, problem: 'too_much_memory' });
  assert.ok(process.memoryUsage().rss - before < 600_000_000, 'the bomb was unpacked');
  assert.equal((await read(createPdf([['still here']]))).ok, true);
});

for (const limit of ['processorMilliseconds', 'elapsedMilliseconds'])
  test(`stops a document when it exceeds its ${limit}`, async () => {
    const timeLimitedParser = createPdfParser({ ...longTimeout, [limit]: 1 });
    const { result } = await timeLimitedParser.parse(createPdf([['x']], { padding: 60_000_000 }));
    assert.deepEqual(result, { ok: false, problem: 'too_slow' });
    await timeLimitedParser.close();
  });

test('reads a document when the machine is busy for longer than its CPU time limit', { tags: ['slow'] }, async () => {
  const busyParser = createPdfParser(DEFAULT_PDF_LIMITS);
  const reply = busyParser.parse(createPdf([['Hello']]));
  await new Promise((resolve) => setImmediate(resolve));
  // Block this thread and its timers for longer than the default limit of 10 s.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_500);
  assert.equal((await reply).result.ok, true);
  await busyParser.close();
});

test('stops when the caller aborts before or during the work', { tags: ['slow'] }, async () => {
  assert.deepEqual(await read(createPdf([['x']]), AbortSignal.abort()), { ok: false, problem: 'cancelled' });
  const abortController = new AbortController();
  const result = read(createPdf([['x']], { padding: 60_000_000 }), abortController.signal);
  // The thread has the document now, and its result cannot have been received yet.
  await new Promise((resolve) => process.nextTick(resolve));
  abortController.abort();
  assert.deepEqual(await result, { ok: false, problem: 'cancelled' });
  assert.equal((await read(createPdf([['next']]))).ok, true);
});

test('cancels waiting documents when it closes', async () => {
  const closing = createPdfParser(longTimeout);
  const waiting = [closing.parse(createPdf([['a']], { padding: 50_000_000 })), closing.parse(createPdf([['b']]))];
  await closing.close();
  for (const { result } of await Promise.all(waiting)) assert.deepEqual(result, { ok: false, problem: 'cancelled' });
});

test('never throws when bytes are damaged', async () => {
  const validPdf = createPdf([['Hello, world!', 'more text']]);
  for (let seed = 1; seed <= 60; seed++) {
    const bytes = validPdf.slice();
    for (let i = 1; i <= 8; i++) bytes[(seed * 7919 * i) % bytes.length] = (seed * i * 31) & 0xff;
    const result = await readPages(bytes, DEFAULT_PDF_LIMITS);
    assert.equal(typeof result.ok, 'boolean');
  }
});

test('uses a fixture that is compressed like real files', () => {
  assert.ok(
    Buffer.from(createPdf([['Hello']])).includes(
      deflateSync(Buffer.from('BT /F1 12 Tf 72 700 Td (Hello) Tj ET\n'), { level: 9 }),
    ),
  );
});
