import assert from 'node:assert/strict';
import type { Worker } from 'node:worker_threads';
import { test } from 'vitest';
import { createPdf } from '../../../../test/support/pdf-bytes.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { startCountServer } from '../../../../test/support/count-server.ts';
import type { TestScope } from '../../../../test/support/test-scope.ts';
import { UNIT_MS } from '../../../platform/fairness/time-budget.ts';
import { createSharedRateLimits } from '../../../platform/http/redis-rate-limiter.ts';
import { Cancelled } from '../count-body.ts';
import { WorkerCrashedError } from '../workers/worker-slot.ts';
import { createPdfReader, PdfTimeExceededError } from './pdf-reader.ts';
import { DEFAULT_PDF_LIMITS } from './pdf-result.ts';

const SHORT = createPdf([['Hello']]);
/** Takes about two seconds of processor time: `q` a million times. */
const LONG = createPdf([['x']], { operators: 'q '.repeat(1_000_000) });
const NEVER = new AbortController().signal;

/** Opens a reader. By default it allows a document less processor time than `LONG` takes. */
function open(t: TestScope, limits = { ...DEFAULT_PDF_LIMITS, processorMilliseconds: 600 }) {
  const reader = createPdfReader({ createLimiter: createSharedRateLimits(undefined).createLimiter, limits });
  t.onTestFinished(() => reader.close());
  return reader;
}

test('uses the budget of that organization only when a PDF times out', async (t) => {
  const reader = open(t);
  assert.equal((await reader.read('a', SHORT, NEVER)).ok, true);
  assert.deepEqual(await reader.read('a', LONG, NEVER), { ok: false, problem: 'too_slow' });
  await assert.rejects(reader.read('a', SHORT, NEVER), (error) => {
    assert.ok(error instanceof PdfTimeExceededError && error.retryAfterSeconds > 0 && error.retryAfterSeconds <= 60);
    return true;
  });
  assert.equal((await reader.read('b', SHORT, NEVER)).ok, true);
});

test('rejects waiting PDFs before they start when an earlier one used the budget', async (t) => {
  const reader = open(t);
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => reader.read('a', LONG, NEVER)));
  const rejected = outcomes.filter(
    (outcome) => outcome.status === 'rejected' && outcome.reason instanceof PdfTimeExceededError,
  );
  assert.equal(rejected.length, 4);
});

test('stops reading a PDF in the slow lane when the client disconnects', async (t) => {
  const reader = open(t, DEFAULT_PDF_LIMITS);
  const abortController = new AbortController();
  const reading = reader.read('a', createPdf([['x']], { operators: 'q '.repeat(5_000_000) }), abortController.signal);
  // By then the quick lane has given the document up.
  setTimeout(() => abortController.abort(), 2_000);
  await assert.rejects(reading, Cancelled);
  // Read to its end, it would have used the whole budget.
  assert.equal((await reader.read('a', SHORT, NEVER)).ok, true);
});

/** Opens a reader. `charged` has the units of time that each organization used. */
function openCounted(t: TestScope, limits = DEFAULT_PDF_LIMITS) {
  const charged = new Map<string, number>();
  const createLimiter: ReturnType<typeof createSharedRateLimits>['createLimiter'] = (options) => {
    const limiter = createSharedRateLimits(undefined).createLimiter(options);
    return {
      ...limiter,
      consume(organisation) {
        charged.set(organisation, (charged.get(organisation) ?? 0) + 1);
        return limiter.consume(organisation);
      },
    };
  };
  const reader = createPdfReader({ createLimiter, limits });
  t.onTestFinished(() => reader.close());
  return { reader, charged };
}

/** Returns the threads that this process starts until the test ends. */
function recordThreads(t: TestScope): readonly Worker[] {
  const threads: Worker[] = [];
  const record = (thread: Worker): void => {
    threads.push(thread);
  };
  process.on('worker', record);
  t.onTestFinished(() => {
    process.off('worker', record);
  });
  return threads;
}

/** Returns the processor time of a thread in ms, or 0 if it does not run. */
const readThreadTime = (thread: Worker): Promise<number> =>
  thread.cpuUsage().then(
    ({ user, system }) => (user + system) / 1_000,
    () => 0,
  );

test('charges the time of a PDF when its thread ends', async (t) => {
  const threads = recordThreads(t);
  const { reader, charged } = openCounted(t);
  const reading = assert.rejects(
    reader.read('a', createPdf([['x']], { operators: 'q '.repeat(5_000_000) }), NEVER),
    WorkerCrashedError,
  );
  // A thread of the slow lane, since the quick lane stops a document before.
  let slowThread: Worker | undefined;
  await eventually(async () => {
    for (const thread of threads) if ((await readThreadTime(thread)) > 1_000) slowThread = thread;
    return slowThread !== undefined;
  });
  const before = charged.get('a')!;
  await slowThread!.terminate();
  await reading;
  assert.ok(charged.get('a')! > before + 2, `${before} units, ${charged.get('a')} after the end`);
  assert.equal((await reader.read('a', SHORT, NEVER)).ok, true);
});

/** Ends a thread as soon as it gets a document. */
function crashWithNextDocument(thread: Worker): void {
  const { postMessage } = thread;
  thread.postMessage = (...message) => {
    postMessage.apply(thread, message);
    void thread.terminate();
  };
}

test('charges a second when a PDF crashes its thread at once', async (t) => {
  const threads = recordThreads(t);
  const { reader, charged } = openCounted(t);
  for (let read = 0; read < 2; read += 1) await reader.read('a', SHORT, NEVER);
  const normalThread = threads.at(-1)!;
  crashWithNextDocument(normalThread);
  const before = charged.get('a') ?? 0;
  await assert.rejects(reader.read('a', SHORT, NEVER), WorkerCrashedError);
  assert.ok(charged.get('a')! >= before + 1_000 / UNIT_MS, `${before} units, ${charged.get('a')} after the crash`);
  await reader.read('a', SHORT, NEVER);
  // The two quick threads, the restart of one, and the slow thread.
  assert.equal(threads.length, 4);
});

test('returns 429 with retry-after when the PDFs of an organization used its budget', { tags: ['slow'] }, async (t) => {
  const server = await startCountServer({}, t);
  const other = await server.createKey('Other');
  const count = (pdf: Uint8Array, key = server.key) => {
    const source = { type: 'base64', media_type: 'application/pdf', data: Buffer.from(pdf).toString('base64') };
    const messages = [{ role: 'user', content: [{ type: 'document', source }] }];
    return server.post({ model: 'claude-sonnet-4-5', messages }, { key });
  };
  const bomb = createPdf([['x']], { operators: 'q '.repeat(5_000_000) });
  assert.ok(bomb.length < 20_000);
  const timedOut = await count(bomb);
  assert.equal(timedOut.status, 400);
  assert.match(await timedOut.text(), /takes too long to read/);
  const rejected = await count(SHORT);
  const { type, error } = (await rejected.json()) as { type: string; error: { type: string; message: string } };
  assert.deepEqual([rejected.status, type, error.type], [429, 'error', 'rate_limit_error']);
  assert.match(error.message, /30 seconds of PDF reading per minute/);
  const retryAfter = Number(rejected.headers.get('retry-after'));
  assert.ok(Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter <= 60, String(retryAfter));
  assert.equal((await count(SHORT, other)).status, 200);
  const text = { model: 'claude-sonnet-4-5', messages: [{ role: 'user', content: 'Hi' }] };
  assert.equal((await server.post(text)).status, 200, 'requests without PDFs are counted');
});
