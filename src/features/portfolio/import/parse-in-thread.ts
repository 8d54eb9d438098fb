import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../../errors.ts';
import { QueueFullError } from '../../../platform/fairness/fair-queue.ts';
import { createFairSlots } from '../../../platform/fairness/fair-slots.ts';
import type { FileChoices, KeptChoices } from './holdings-file.ts';
import { type ParsedHoldingsFile, parseHoldingsFile } from './parse-holdings-file.ts';
import { joinParsedFile, type ParsedPiece } from './parsed-pieces.ts';

/** What the thread parses. */
export interface ParseJob {
  text: string;
  choices: FileChoices;
  kept: KeptChoices;
}

/**
 * Parses a file of a member as `parseHoldingsFile` does. Rejects with `AppError` if too many files wait, and with another
 * error if the thread fails or takes too long.
 */
export type FileParser = (
  idpId: string,
  text: string,
  choices: FileChoices,
  kept?: KeptChoices,
) => Promise<ParsedHoldingsFile>;

/** Longer texts are parsed in a thread. Shorter ones take less time than the start of a thread. */
const MAX_TEXT_LENGTH_WITHOUT_THREAD = 32_000;
/** Parsing takes a second at most. The time-out is for a machine that is ten times slower and busy. */
const TIMEOUT_MS = 30_000;
const MEMORY_MEGABYTES = 256;

/** Creates a parser that parses large files in a thread, one at a time. Members take turns. */
export function createFileParser(): FileParser {
  const runInSlot = createFairSlots({
    slots: 1,
    maxWaitingPerOwner: 4,
    maxWaiting: 100,
    maxWaitMs: TIMEOUT_MS,
  });
  // The thread stays for the next file, since its start takes as long as parsing.
  let thread: Worker | undefined;

  async function parseInThread(job: ParseJob): Promise<ParsedHoldingsFile> {
    thread ??= startThread();
    const usedThread = thread;
    try {
      usedThread.ref();
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      let request: ParseJob | 'next' = job;
      return await joinParsedFile(async () => {
        usedThread.postMessage(request);
        request = 'next';
        const [piece] = (await once(usedThread, 'message', { signal })) as [ParsedPiece];
        return piece;
      });
    } catch (error) {
      thread = undefined;
      await usedThread.terminate();
      throw error;
    } finally {
      usedThread.unref();
    }
  }

  return async (idpId, text, choices, kept = new Map()) => {
    if (text.length <= MAX_TEXT_LENGTH_WITHOUT_THREAD) return parseHoldingsFile(text, choices, kept);
    try {
      return await runInSlot({ owner: idpId }, () => parseInThread({ text, choices, kept }));
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error;
      throw new AppError('UNAVAILABLE', {
        retryAfter: 5,
        message: 'Other files are still being read. Try again shortly.',
      });
    }
  };
}

const startThread = (): Worker =>
  new Worker(new URL('./parse-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MEGABYTES },
  });
