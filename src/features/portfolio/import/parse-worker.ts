/** Parses files in a thread, so that the service answers others meanwhile. */
import { parentPort } from 'node:worker_threads';
import { parseHoldingsFile } from './parse-holdings-file.ts';
import type { ParseJob } from './parse-in-thread.ts';

parentPort?.on('message', ({ text, choices, kept }: ParseJob) => {
  parentPort?.postMessage(parseHoldingsFile(text, choices, kept));
});
