import { parentPort, workerData } from 'node:worker_threads';
import type { CountOutcome, UrlsWanted } from '../count-body.ts';
import { Cancelled, countBodyWithMedia } from '../count-body.ts';
import { createPdfParser } from '../pdf/pdf-parser.ts';
import { createReadMedia } from '../read-media.ts';
import type { FetchedUrl } from '../url-media/wanted-url.ts';
import type { ApiVersion } from '../validation/conversation-rules.ts';

/** One body to count, in the pieces in which it arrived; their memory comes along. */
export interface CountTask {
  id: number;
  segments: Uint8Array[];
  version: ApiVersion;
  /** What stood behind the URLs that it names. */
  fetched?: readonly FetchedUrl[];
}

/** The count, or the URLs that must be fetched first, with the body back for the second pass. */
export type PassOutcome = CountOutcome | (UrlsWanted & { segments: Uint8Array<ArrayBuffer>[] });

export type CountReply = { id: number; outcome: PassOutcome } | { id: number; cancelled: true } | { id: number; fault: string };

const port = parentPort;
if (!port) throw new Error('This file runs as a worker only.');
/** Holds the id of the task whose client has gone, written by the pool while this thread is busy. */
const cancelledTask = new Int32Array(workerData as SharedArrayBuffer);

const readMedia = createReadMedia(createPdfParser());

port.on('message', (task: CountTask) => void answer(task));

async function answer({ id, segments, version, fetched }: CountTask): Promise<void> {
  let reply: CountReply;
  const back: ArrayBuffer[] = [];
  try {
    const bytes = Buffer.concat(segments);
    segments.length = 0;
    const outcome = await countBodyWithMedia(bytes, version, readMedia, () => Atomics.load(cancelledTask, 0) === id, fetched);
    if ('urls' in outcome) {
      const body = new Uint8Array(bytes);
      back.push(body.buffer);
      reply = { id, outcome: { ...outcome, segments: [body] } };
    } else reply = { id, outcome };
  } catch (error) {
    reply = error instanceof Cancelled ? { id, cancelled: true } : { id, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  port!.postMessage(reply, back);
}
