import { parentPort, workerData } from 'node:worker_threads';
import { Cancelled, countBodyWithMedia, type CountOutcome, type UrlsWanted } from '../count-body.ts';
import { createPdfParser } from '../pdf/pdf-parser.ts';
import { createReadMedia } from '../read-media.ts';
import type { FetchedUrl } from '../url-media/wanted-url.ts';
import type { ApiVersion } from '../validation/conversation-rules.ts';
import { lowerPriority } from './lower-priority.ts';

/** One body to count, in the pieces in which it arrived. */
export interface CountTask {
  id: number;
  segments: readonly Uint8Array[];
  version: ApiVersion;
  /** What stood behind the URLs that it names. */
  fetched?: readonly FetchedUrl[];
}

/** The count, or the URLs that must be fetched before a second pass. */
export type PassOutcome = CountOutcome | UrlsWanted;

export type CountReply =
  | { id: number; outcome: PassOutcome }
  | { id: number; cancelled: true }
  | { id: number; fault: string };

const port = parentPort;
if (!port) throw new Error('This file runs as a worker only.');
/** Holds the id of the task whose client has gone, written by the pool while this thread is busy. */
const cancelledTask = new Int32Array(workerData as SharedArrayBuffer);

const readMedia = createReadMedia(createPdfParser());
let whole = Buffer.alloc(0);

lowerPriority();

port.on('message', (task: CountTask) => void answer(task));

async function answer({ id, segments, version, fetched }: CountTask): Promise<void> {
  let reply: CountReply;
  try {
    const cancelled = (): boolean => Atomics.load(cancelledTask, 0) === id;
    reply = {
      id,
      outcome: await countBodyWithMedia(join(segments), version, { readMedia, cancelled, fetched }),
    };
  } catch (error) {
    reply =
      error instanceof Cancelled
        ? { id, cancelled: true }
        : { id, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  port!.postMessage(reply);
}

/** The whole body in memory that is used for every one: it is read into strings before the next is begun. */
function join(segments: readonly Uint8Array[]): Buffer {
  const length = segments.reduce((sum, segment) => sum + segment.length, 0);
  if (whole.length < length) whole = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const segment of segments) {
    whole.set(segment, at);
    at += segment.length;
  }
  return whole.subarray(0, length);
}
