/** Reads PDFs in a worker thread, one after another. */
import { parentPort } from 'node:worker_threads';
import type { PdfLimits } from './pdf-result.ts';
import { readPages } from './read-pages.ts';

export interface PdfJob {
  bytes: Uint8Array;
  limits: PdfLimits;
}

parentPort?.on('message', (job: PdfJob) => {
  void readPages(job.bytes, job.limits).then((result) => parentPort?.postMessage(result));
});
