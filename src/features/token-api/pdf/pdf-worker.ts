/** Reads PDFs in a worker thread, one after another. */
import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriority } from '../workers/lower-priority.ts';
import type { PdfLimits } from './pdf-result.ts';
import { loadPdfLibrary, readPages } from './read-pages.ts';

export interface PdfJob {
  bytes: Uint8Array;
  limits: PdfLimits;
}

export interface PdfWorkerOptions {
  isLowPriority: boolean;
}

/** Sent once, when the thread can read its first document. */
export const READY = 'ready';

if ((workerData as PdfWorkerOptions | null)?.isLowPriority) lowerPriority();

parentPort?.on('message', (job: PdfJob) => {
  void readPages(job.bytes, job.limits).then((result) => parentPort?.postMessage(result));
});

await loadPdfLibrary();
parentPort?.postMessage(READY);
