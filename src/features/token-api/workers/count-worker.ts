import { parentPort, workerData } from 'node:worker_threads';
import { Cancelled, countBodyWithMedia, type CountOutcome, type NeedsUrls } from '../count-body.ts';
import { createPdfParser } from '../pdf/pdf-parser.ts';
import { createReadMedia } from '../read-media.ts';
import type { FetchedUrl } from '../url-media/requested-url.ts';
import type { ApiVersion } from '../validation/checked-request.ts';
import { lowerPriority } from './lower-priority.ts';

/** One body to count, in the chunks in which it was received. */
export interface CountTask {
  id: number;
  segments: readonly Uint8Array[];
  version: ApiVersion;
  /** Values of the `anthropic-beta` header. */
  betas?: readonly string[];
  /** Files that were fetched from the URLs in the body. */
  fetched?: readonly FetchedUrl[];
}

/** The count, or the URLs that must be fetched before a second count. */
export type CountTaskOutcome = CountOutcome | NeedsUrls;

export type CountReply =
  | { id: number; outcome: CountTaskOutcome }
  | { id: number; cancelled: true }
  | { id: number; errorMessage: string };

const port = parentPort;
if (!port) throw new Error('This file runs as a worker only.');
/** The id of the task whose client disconnected. The pool writes it while this thread is busy. */
const cancelledTask = new Int32Array(workerData as SharedArrayBuffer);

const readMedia = createReadMedia(createPdfParser());
let bodyBuffer = Buffer.alloc(0);

lowerPriority();

port.on('message', (task: CountTask) => {
  void runTask(task);
});

async function runTask({ id, segments, version, betas, fetched }: CountTask): Promise<void> {
  let reply: CountReply;
  try {
    const isCancelled = (): boolean => Atomics.load(cancelledTask, 0) === id;
    reply = {
      id,
      outcome: await countBodyWithMedia(joinSegments(segments), version, { readMedia, isCancelled, fetched, betas }),
    };
  } catch (error) {
    reply =
      error instanceof Cancelled
        ? { id, cancelled: true }
        : { id, errorMessage: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  port!.postMessage(reply);
}

/** Copies the body into one buffer that is reused: its strings are read before the next body starts. */
function joinSegments(segments: readonly Uint8Array[]): Buffer {
  const length = segments.reduce((sum, segment) => sum + segment.length, 0);
  if (bodyBuffer.length < length) bodyBuffer = Buffer.allocUnsafeSlow(length);
  let offset = 0;
  for (const segment of segments) {
    bodyBuffer.set(segment, offset);
    offset += segment.length;
  }
  return bodyBuffer.subarray(0, length);
}
