import { Worker } from 'node:worker_threads';
import type { PdfJob } from './pdf-worker.ts';
import { DEFAULT_PDF_LIMITS, type PdfLimits, type PdfProblem, type PdfResult } from './pdf-result.ts';

/** Reads PDFs outside the calling thread, one at a time. */
export interface PdfParser {
  /**
   * Page sizes and texts of a PDF, or why there are none. Never rejects.
   * @param bytes the file; copied, so the caller may go on using it
   * @param signal ends the work when the caller no longer wants it
   */
  parse: (bytes: Uint8Array, signal?: AbortSignal) => Promise<PdfResult>;
  /** Ends the thread; what is still waiting is answered `cancelled`. */
  close: () => Promise<void>;
}

/** How often memory and processor time of a busy thread are looked at: a bomb unpacks some 600 MB a second. */
const WATCH_MS = 25;
const MEGABYTE = 1_000_000;

/** Starts no thread before the first document; one that had to be ended is replaced for the next. */
export function createPdfParser(limits: PdfLimits = DEFAULT_PDF_LIMITS): PdfParser {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  const start = (): Worker => {
    const started = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: limits.megabytes },
    });
    started.unref();
    started.on('error', () => undefined);
    started.on('exit', () => {
      if (worker === started) worker = undefined;
    });
    return started;
  };

  const end = async (): Promise<void> => {
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  };

  const run = async (bytes: Uint8Array, signal: AbortSignal | undefined): Promise<PdfResult> => {
    if (closed || signal?.aborted === true) return { ok: false, problem: 'cancelled' };
    worker ??= start();
    const result = await readIn(worker, { bytes, limits }, signal);
    // After these the thread is still busy or dead; it cannot take the next document.
    if (!result.ok && ENDS_THREAD.has(result.problem)) await end();
    return result;
  };

  return {
    parse: (bytes, signal) => {
      const result = last.then(() => run(bytes, signal));
      last = result;
      return result;
    },
    close: async () => {
      closed = true;
      await end();
      await last;
    },
  };
}

const ENDS_THREAD: ReadonlySet<PdfProblem> = new Set(['too_slow', 'too_much_memory', 'cancelled']);

function readIn(worker: Worker, job: PdfJob, signal: AbortSignal | undefined): Promise<PdfResult> {
  return new Promise((resolve) => {
    const settle = (result: PdfResult): void => {
      clearTimeout(timer);
      clearInterval(watch);
      signal?.removeEventListener('abort', cancel);
      worker.off('message', settle).off('error', crashed).off('exit', ended);
      worker.unref();
      resolve(result);
    };
    const fail = (problem: PdfProblem) => (): void => settle({ ok: false, problem });
    const cancel = fail('cancelled');
    const ended = fail('cancelled');
    const crashed = (error: unknown): void => fail(isOutOfMemory(error) ? 'too_much_memory' : 'malformed')();
    const { limits } = job;
    const timer = setTimeout(fail('too_slow'), limits.elapsedMilliseconds);
    const readProcessorTime = measureProcessorTime(worker);
    const watch = setInterval(() => {
      // Unpacked streams live outside the heap, where `resourceLimits` does not see them.
      worker.getHeapStatistics().then(
        (heap) => heap.used_heap_size + heap.external_memory > limits.megabytes * MEGABYTE && fail('too_much_memory')(),
        () => undefined,
      );
      readProcessorTime().then(
        (milliseconds) => milliseconds > limits.processorMilliseconds && fail('too_slow')(),
        () => undefined,
      );
    }, WATCH_MS);
    signal?.addEventListener('abort', cancel, { once: true });
    worker.on('message', settle).on('error', crashed).on('exit', ended);
    worker.ref();
    worker.postMessage(job);
  });
}

/** Reads a thread's processor time in milliseconds, counted from the first reading; rejects while it does not run. */
function measureProcessorTime(worker: Worker): () => Promise<number> {
  let first: number | undefined;
  return async () => {
    const { user, system } = await worker.cpuUsage();
    const now = (user + system) / 1000;
    first ??= now;
    return now - first;
  };
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
