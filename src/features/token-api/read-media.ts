import { Cancelled, type MediaReadResult, type ReadMedia } from './count-body.ts';
import type { PdfParser } from './pdf/pdf-parser.ts';
import type { PdfResult } from './pdf/pdf-result.ts';
import { readPdfs } from './pdf/read-pdfs.ts';
import { validationError } from './validation/problem.ts';

/**
 * Returns a function that reads PDFs before the count with a parser in its own thread. A remaining URL is rejected with
 * its path.
 */
export function createReadMedia(parser: PdfParser): ReadMedia {
  return async (media, model, isCancelled): Promise<MediaReadResult> => {
    const remoteReference = media.find(({ block }) => block.source.type === 'url');
    if (remoteReference)
      return { ok: false, problem: validationError(URL_NOT_FETCHED_MESSAGE, `${remoteReference.path}.source.url`) };
    const result = await readPdfs(media, model.maxMedia, async (data) => {
      if (isCancelled()) throw new Cancelled();
      const read = await parseUntilCancelled(parser, Buffer.from(data, 'base64'), isCancelled);
      if (!read.ok && isCancelled()) throw new Cancelled();
      return read;
    });
    return result.ok ? { ok: true, options: { pdf: (source) => result.pdfs.get(source) } } : result;
  };
}

/** Interval in ms of the checks for a disconnected client while a PDF is read. */
const CANCEL_POLL_INTERVAL_MS = 50;

/** Reads a PDF until the client disconnects. The read may take seconds, and the next document waits for the thread. */
async function parseUntilCancelled(
  parser: PdfParser,
  bytes: Uint8Array,
  isCancelled: () => boolean,
): Promise<PdfResult> {
  const abortController = new AbortController();
  const pollTimer = setInterval(() => {
    if (isCancelled()) abortController.abort();
  }, CANCEL_POLL_INTERVAL_MS);
  try {
    return await parser.parse(bytes, abortController.signal);
  } finally {
    clearInterval(pollTimer);
  }
}

const URL_NOT_FETCHED_MESSAGE = 'only the service fetches files from URLs; pass the data as base64';
