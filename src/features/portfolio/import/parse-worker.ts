/** Parses files in a thread, so that the service answers others meanwhile. */
import { parentPort } from 'node:worker_threads';
import { parseHoldingsFile } from './parse-holdings-file.ts';
import { type ParsedPiece, splitParsedFile } from './parsed-pieces.ts';
import type { ParseJob } from './parse-in-thread.ts';

/** Pieces of the file that was parsed last, which the service asks for one by one. */
let pieces: Iterator<ParsedPiece> = [][Symbol.iterator]();

parentPort?.on('message', (message: ParseJob | 'next') => {
  if (message !== 'next') {
    const { text, choices, kept } = message;
    pieces = splitParsedFile(parseHoldingsFile(text, choices, kept));
  }
  parentPort?.postMessage(pieces.next().value);
});
