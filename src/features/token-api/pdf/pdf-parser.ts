import { Worker } from 'node:worker_threads';
import { WorkerCrashedError } from '../workers/worker-slot.ts';
import type { PdfJob, PdfReply, PdfWorkerOptions } from './pdf-worker.ts';
import { DEFAULT_PDF_LIMITS, type PdfLimits, type PdfProblem } from './pdf-result.ts';

/** Reads PDFs in a separate thread, one at a time. */
export interface PdfParser {
  /**
   * Returns the page sizes and texts of a PDF, or a problem, with the processor time in ms that it took. Rejects with
   * `WorkerCrashedError`, which has the elapsed time, if the thread ends.
   * @param bytes the file, which is copied
   * @param signal aborts the work
   */
  parse: (bytes: Uint8Array, signal?: AbortSignal) => Promise<PdfReply>;
  /** Stops the thread. Waiting documents resolve with `cancelled`. */
  close: () => Promise<void>;
}

/** Interval in ms of the memory and CPU time checks. A decompression bomb unpacks about 600 MB/s. */
const WATCH_INTERVAL_MS = 25;
const MEGABYTE = 1_000_000;

interface Thread {
  worker: Worker;
  /** Resolves when the library is loaded, or to false if the thread ends before. */
  ready: Promise<boolean>;
}

/** Creates a parser that starts its thread with the first document and replaces a stopped thread. */
export function createPdfParser(
  limits: PdfLimits = DEFAULT_PDF_LIMITS,
  options: PdfWorkerOptions = { isLowPriority: false },
): PdfParser {
  let thread: Thread | undefined;
  let lastRun: Promise<unknown> = Promise.resolve();
  let closed = false;

  const startThread = (): Thread => {
    const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: limits.megabytes },
      workerData: options,
    });
    worker.on('error', () => undefined);
    const ready = new Promise<boolean>((resolve) => {
      worker.once('message', () => {
        worker.unref();
        resolve(true);
      });
      worker.once('exit', () => {
        if (thread?.worker === worker) thread = undefined;
        resolve(false);
      });
    });
    return { worker, ready };
  };

  const endThread = async (): Promise<void> => {
    const endedThread = thread;
    thread = undefined;
    await endedThread?.worker.terminate();
  };

  const start = async (): Promise<Thread | undefined> => {
    if (closed) return undefined;
    thread ??= startThread();
    const startedThread = thread;
    return (await startedThread.ready) ? startedThread : undefined;
  };

  /** Replaces the thread. The new one starts already, so that the next document does not wait for it. */
  const restartThread = async (): Promise<void> => {
    await endThread();
    void start();
  };

  const parseOne = async (bytes: Uint8Array, signal: AbortSignal | undefined): Promise<PdfReply> => {
    const isCancelled = (): boolean => closed || signal?.aborted === true;
    const started = isCancelled() ? undefined : await start();
    // The caller may have aborted while the thread started.
    if (isCancelled()) return CANCELLED;
    if (!started) throw new WorkerCrashedError('the PDF thread did not start');
    try {
      const reply = await readInWorker(started.worker, { bytes, limits }, signal);
      // After these problems the thread is busy or dead, so it cannot read the next document.
      if (!reply.result.ok && FATAL_PROBLEMS.has(reply.result.problem)) await restartThread();
      return reply;
    } catch (error) {
      if (isCancelled()) return CANCELLED;
      await restartThread();
      throw error;
    }
  };

  return {
    parse: (bytes, signal) => {
      const reply = lastRun.then(() => parseOne(bytes, signal));
      lastRun = reply.catch(() => undefined);
      return reply;
    },
    close: async () => {
      closed = true;
      await endThread();
      await lastRun;
    },
  };
}

const CANCELLED: PdfReply = { result: { ok: false, problem: 'cancelled' }, milliseconds: 0 };
const FATAL_PROBLEMS: ReadonlySet<PdfProblem> = new Set(['too_slow', 'too_much_memory', 'cancelled']);

function readInWorker(worker: Worker, job: PdfJob, signal: AbortSignal | undefined): Promise<PdfReply> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const stopWaiting = (): void => {
      clearTimeout(timer);
      clearInterval(watchTimer);
      signal?.removeEventListener('abort', onAbort);
      worker.off('message', settle).off('error', onError).off('exit', onExit);
      worker.unref();
    };
    const settle = (reply: PdfReply): void => {
      stopWaiting();
      resolve(reply);
    };
    let processorMilliseconds = 0;
    const fail = (problem: PdfProblem) => (): void =>
      settle({ result: { ok: false, problem }, milliseconds: processorMilliseconds });
    const crash = (cause?: unknown): void => {
      stopWaiting();
      reject(new WorkerCrashedError('the PDF thread ended', { cause, milliseconds: performance.now() - startedAt }));
    };
    const onAbort = fail('cancelled');
    const onExit = (): void => crash();
    const onError = (error: unknown): void => (isOutOfMemory(error) ? fail('too_much_memory')() : crash(error));
    const { limits } = job;
    const timer = setTimeout(fail('too_slow'), limits.elapsedMilliseconds);
    const readProcessorTime = measureProcessorTime(worker);
    const watchTimer = setInterval(() => {
      // Unpacked streams are outside the heap, so `resourceLimits` does not cover them.
      worker.getHeapStatistics().then(
        (heap) => heap.used_heap_size + heap.external_memory > limits.megabytes * MEGABYTE && fail('too_much_memory')(),
        () => undefined,
      );
      readProcessorTime().then(
        (milliseconds) => {
          processorMilliseconds = milliseconds;
          if (milliseconds > limits.processorMilliseconds) fail('too_slow')();
        },
        () => undefined,
      );
    }, WATCH_INTERVAL_MS);
    signal?.addEventListener('abort', onAbort, { once: true });
    worker.on('message', settle).on('error', onError).on('exit', onExit);
    worker.ref();
    worker.postMessage(job);
  });
}

/**
 * Returns a function that reads the CPU time of a thread in ms since its first call. The function rejects if the thread
 * does not run.
 */
function measureProcessorTime(worker: Worker): () => Promise<number> {
  let firstReading: number | undefined;
  return async () => {
    const { user, system } = await worker.cpuUsage();
    const now = (user + system) / 1000;
    firstReading ??= now;
    return now - firstReading;
  };
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
