import { parentPort, workerData } from 'node:worker_threads';
import {
  Cancelled,
  countBody,
  type CountOutcome,
  type NeedsPdfs,
  type NeedsUrls,
  type PdfsByPath,
} from '../count-body.ts';
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
  /** The PDFs of the body that were read. */
  pdfs?: PdfsByPath;
}

/** The count, or the files that must be fetched or read before another count. */
export type CountTaskOutcome = CountOutcome | NeedsPdfs | NeedsUrls;

export type CountReply =
  | { id: number; outcome: CountTaskOutcome }
  | { id: number; cancelled: true }
  | { id: number; errorMessage: string };

const port = parentPort;
if (!port) throw new Error('This file runs as a worker only.');
/** The id of the task whose client disconnected. The pool writes it while this thread is busy. */
const cancelledTask = new Int32Array(workerData as SharedArrayBuffer);

let bodyBuffer = Buffer.alloc(0);

lowerPriority();

port.on('message', (task: CountTask) => {
  const reply = runTask(task);
  const documents =
    'outcome' in reply && 'needs' in reply.outcome && reply.outcome.needs === 'pdfs' ? reply.outcome.documents : [];
  port.postMessage(reply, [...new Set(documents.map(({ source }) => source.buffer))]);
});

function runTask({ id, segments, version, betas, fetched, pdfs }: CountTask): CountReply {
  try {
    const isCancelled = (): boolean => Atomics.load(cancelledTask, 0) === id;
    return { id, outcome: countBody(joinSegments(segments), version, { isCancelled, fetched, pdfs, betas }) };
  } catch (error) {
    if (error instanceof Cancelled) return { id, cancelled: true };
    return { id, errorMessage: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
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
