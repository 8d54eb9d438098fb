import { createTimeBudget } from '../../../platform/fairness/time-budget.ts';
import { createTwoLanes } from '../../../platform/fairness/two-lanes.ts';
import type { SharedRateLimits } from '../../../platform/http/redis-rate-limiter.ts';
import { Cancelled } from '../count-body.ts';
import { createPdfParser, type PdfParser } from './pdf-parser.ts';
import { DEFAULT_PDF_LIMITS, type PdfLimits, type PdfResult } from './pdf-result.ts';

/** Reads the PDFs of all organizations in threads apart from those that count. */
export interface PdfReader {
  /**
   * Reads one PDF for an organization. Rejects with `PdfTimeExceededError`, `QueueFullError`, `WorkerCrashedError`, or
   * `Cancelled` if the signal aborts.
   */
  read(organisation: string, bytes: Uint8Array, signal: AbortSignal): Promise<PdfResult>;
  /** Stops the threads. Unfinished documents resolve with `cancelled`. */
  close(): Promise<void>;
}

/** The organization has used its seconds of PDF reading in the last 60 seconds. */
export class PdfTimeExceededError extends Error {
  override readonly name = 'PdfTimeExceededError';
  readonly retryAfterSeconds: number;

  constructor(seconds: number, retryAfterSeconds: number) {
    super(
      `This request would exceed your organization's limit of ${seconds} seconds of PDF reading per minute ` +
        '(a PDF that takes too long uses all of them).',
    );
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Seconds of reading of one organization in any 60 seconds. */
export const PDF_SECONDS_PER_MINUTE = 30;
/** Limits of the quick lane. A document that exceeds them is read again in the slow lane with all of its limits. */
const QUICK_LIMITS = { processorMilliseconds: 250, elapsedMilliseconds: 10_000, megabytes: 128 };
const MAX_WAIT_MS = 30_000;

interface PdfReaderOptions {
  createLimiter: SharedRateLimits['createLimiter'];
  /** Limits of one document, for tests. */
  limits?: PdfLimits;
}

/**
 * Creates the reader. An organization holds one thread in each lane, and no document holds a quick thread for longer
 * than the quick limits, so others always find a thread or wait for a short document. Only an organization whose last
 * document was short gets the thread of normal priority. Every document is charged with the processor time that it took,
 * and one that takes too long with the whole budget.
 */
export function createPdfReader({ createLimiter, limits = DEFAULT_PDF_LIMITS }: PdfReaderOptions): PdfReader {
  const budget = createTimeBudget({ name: 'pdf-time', seconds: PDF_SECONDS_PER_MINUTE, createLimiter });
  const quickLimits = { ...limits, ...QUICK_LIMITS };
  const normalParser = createPdfParser(quickLimits);
  const lowParser = createPdfParser(quickLimits, { isLowPriority: true });
  const quickParsers = [normalParser, lowParser];
  const slowParsers = Array.from({ length: 2 }, () => createPdfParser(limits, { isLowPriority: true }));
  const quick = openThreads(quickParsers);
  const slow = openThreads(slowParsers);
  const runInLanes = createTwoLanes({
    quickSlots: quickParsers.length,
    slowSlots: slowParsers.length,
    maxWaitMs: MAX_WAIT_MS,
  });

  const assertTimeLeft = async (organisation: string): Promise<void> => {
    const remaining = await budget.check(organisation);
    if (!remaining.ok) throw new PdfTimeExceededError(PDF_SECONDS_PER_MINUTE, remaining.retryAfter);
  };

  return {
    async read(organisation, bytes, signal) {
      const run = async (threads: Threads, options: Omit<RunOptions, 'onEnd'>) => {
        // Checked again when the turn has come, because earlier documents may have used the budget.
        await assertTimeLeft(organisation);
        let milliseconds = 0;
        try {
          const onEnd = (time: number): void => {
            milliseconds = time;
          };
          return { result: await threads.run(bytes, { ...options, onEnd }), milliseconds };
        } finally {
          // Charged even if the thread ended, or a document that ends threads would cost nothing.
          await budget.charge(organisation, milliseconds);
        }
      };
      await assertTimeLeft(organisation);
      try {
        const { result } = await runInLanes({
          owner: organisation,
          signal,
          // Not aborted, because a client that disconnects would make the next one wait for a new thread.
          runQuick: (wasShort) => run(quick, { preferred: wasShort ? normalParser : lowParser }),
          runSlow: async () => {
            const timed = await run(slow, { signal });
            if (!timed.result.ok && timed.result.problem === 'too_slow') await budget.exhaust(organisation);
            return timed;
          },
          isTooLong: (outcome) =>
            !outcome.ok && (outcome.problem === 'too_slow' || outcome.problem === 'too_much_memory'),
        });
        if (signal.aborted) throw new Cancelled();
        return result;
      } catch (error) {
        throw signal.aborted ? new Cancelled() : error;
      }
    },
    async close() {
      await Promise.all([quick.close(), slow.close()]);
    },
  };
}

type Threads = ReturnType<typeof openThreads>;

interface RunOptions {
  signal?: AbortSignal;
  /** The thread that reads the document if it is free. */
  preferred?: PdfParser;
  /** Is called with the time in ms of the document. */
  onEnd: (milliseconds: number) => void;
}

/** Opens the threads of a lane for at most as many documents at once. */
function openThreads(parsers: readonly PdfParser[]) {
  const free = [...parsers];
  return {
    /** Reads a document in a free thread. */
    async run(bytes: Uint8Array, { signal, preferred, onEnd }: RunOptions) {
      const parser = preferred && free.includes(preferred) ? preferred : free[0]!;
      free.splice(free.indexOf(parser), 1);
      let isReady = false;
      try {
        const result = await parser.parse(bytes, signal, onEnd);
        isReady = result.ok;
        return result;
      } finally {
        // A thread that read its document is taken first, because after some problems another is still starting.
        if (isReady) free.unshift(parser);
        else free.push(parser);
      }
    },
    close: () => Promise.all(parsers.map((parser) => parser.close())),
  };
}
