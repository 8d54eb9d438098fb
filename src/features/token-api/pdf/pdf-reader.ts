import { createTimeBudget } from '../../../platform/fairness/time-budget.ts';
import { createTwoLanes } from '../../../platform/fairness/two-lanes.ts';
import type { SharedRateLimits } from '../../../platform/http/redis-rate-limiter.ts';
import { Cancelled } from '../count-body.ts';
import { WorkerCrashedError } from '../workers/worker-slot.ts';
import { createPdfParser, type PdfParser } from './pdf-parser.ts';
import { DEFAULT_PDF_LIMITS, type PdfLimits, type PdfProblem, type PdfResult } from './pdf-result.ts';

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
/** Minimum time in ms that a crash is charged with: the restart of the thread and its library. */
const CRASH_MS = 1_000;

interface PdfReaderOptions {
  createLimiter: SharedRateLimits['createLimiter'];
  /** Limits of one document, for tests. */
  limits?: PdfLimits;
}

/**
 * Creates the reader. An organization holds one thread in each lane, and no document holds a quick thread for longer
 * than the quick limits, so others always find a thread or wait for a short document. Only an organization whose last
 * document was short gets the thread of normal priority. Every document is charged with the time that it took, one that
 * crashes its thread with at least a second, and one that takes too long with the whole budget.
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
      const run = async (threads: Threads, options: RunOptions) => {
        // Checked again when the turn has come, because earlier documents may have used the budget.
        await assertTimeLeft(organisation);
        const timed: { result: PdfOutcome; milliseconds: number } = await threads
          .run(bytes, options)
          .catch(toTimedCrash);
        await budget.charge(organisation, timed.milliseconds);
        return timed;
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
            if (hasProblem(timed.result, 'too_slow')) await budget.exhaust(organisation);
            return timed;
          },
          isTooLong: (outcome) => hasProblem(outcome, 'too_slow') || hasProblem(outcome, 'too_much_memory'),
        });
        if (signal.aborted) throw new Cancelled();
        if (result instanceof WorkerCrashedError) throw result;
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

type PdfOutcome = PdfResult | WorkerCrashedError;

const hasProblem = (outcome: PdfOutcome, problem: PdfProblem): boolean =>
  !(outcome instanceof WorkerCrashedError) && !outcome.ok && outcome.problem === problem;

/** Returns a crash as a timed outcome, since the lanes record no time of work that throws. */
function toTimedCrash(error: unknown) {
  if (!(error instanceof WorkerCrashedError)) throw error;
  return { result: error, milliseconds: Math.max(CRASH_MS, error.milliseconds) };
}

type Threads = ReturnType<typeof openThreads>;

interface RunOptions {
  signal?: AbortSignal;
  /** The thread that reads the document if it is free. */
  preferred?: PdfParser;
}

/** Opens the threads of a lane for at most as many documents at once. */
function openThreads(parsers: readonly PdfParser[]) {
  const free = [...parsers];
  return {
    /** Reads a document in a free thread. */
    async run(bytes: Uint8Array, { signal, preferred }: RunOptions) {
      const parser = preferred && free.includes(preferred) ? preferred : free[0]!;
      free.splice(free.indexOf(parser), 1);
      let isReady = false;
      try {
        const reply = await parser.parse(bytes, signal);
        isReady = reply.result.ok;
        return reply;
      } finally {
        // A thread that read its document is taken first, because after some problems another is still starting.
        if (isReady) free.unshift(parser);
        else free.push(parser);
      }
    },
    close: () => Promise.all(parsers.map((parser) => parser.close())),
  };
}
