/** Reads PDFs in a worker thread, one after another. */
import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriority } from '../workers/lower-priority.ts';
import type { PdfLimits, PdfResult } from './pdf-result.ts';
import { loadPdfLibrary, readPages } from './read-pages.ts';

export interface PdfJob {
  bytes: Uint8Array;
  limits: PdfLimits;
}

/** The result of a document and the processor time in ms that it took. */
export interface PdfReply {
  result: PdfResult;
  milliseconds: number;
}

export interface PdfWorkerOptions {
  isLowPriority: boolean;
}

/** Sent once, when the thread can read its first document. */
export const READY = 'ready';

if ((workerData as PdfWorkerOptions | null)?.isLowPriority) lowerPriority();

parentPort?.on('message', (job: PdfJob) => {
  const before = process.threadCpuUsage();
  void readPages(job.bytes, job.limits).then((result) => {
    const { user, system } = process.threadCpuUsage(before);
    parentPort?.postMessage({ result, milliseconds: (user + system) / 1_000 } satisfies PdfReply);
  });
});

await loadPdfLibrary();
parentPort?.postMessage(READY);
