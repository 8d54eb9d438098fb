import type { DocumentSource, MediaReference, PdfFacts } from '../../../packages/token-counter/src/index.ts';
import { Cancelled, type MediaReadResult, type ReadMedia } from './count-body.ts';
import type { PdfParser } from './pdf/pdf-parser.ts';
import type { PdfProblem, PdfResult } from './pdf/pdf-result.ts';
import { formatMediaPath } from './validation/media-rules.ts';
import { type Problem, validationError } from './validation/problem.ts';

/**
 * Returns a function that reads PDFs before the count with a parser in its own thread. A remaining URL is rejected with
 * its path.
 */
export function createReadMedia(parser: PdfParser): ReadMedia {
  return async (media, model, isCancelled): Promise<MediaReadResult> => {
    const remoteReference = media.find(({ block }) => block.source.type === 'url');
    if (remoteReference)
      return { ok: false, problem: validationError(URL_NOT_FETCHED_MESSAGE, `${remoteReference.path}.source.url`) };
    const maxMedia = model.maxMedia;
    const pdfs = new Map<DocumentSource, PdfFacts>();
    let pages = 0;
    for (const reference of media) {
      const { source } = reference.block;
      if (reference.block.type !== 'document' || source.type !== 'base64') continue;
      if (isCancelled()) throw new Cancelled();
      // Blocks with one URL share their source.
      const cached = pdfs.get(source);
      const result = cached
        ? { ok: true as const, pages: cached.pages }
        : await parseUntilCancelled(parser, Buffer.from(source.data, 'base64'), isCancelled);
      if (!result.ok && isCancelled()) throw new Cancelled();
      if (!result.ok) return { ok: false, problem: unreadablePdfError(reference, result.problem, maxMedia) };
      pages += result.pages.length;
      if (pages > maxMedia) return { ok: false, problem: unreadablePdfError(reference, 'too_many_pages', maxMedia) };
      pdfs.set(source, { pages: result.pages });
    }
    return { ok: true, options: { pdf: (source) => pdfs.get(source) } };
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

function unreadablePdfError({ path }: MediaReference, problem: PdfProblem, maxMedia: number): Problem {
  const message =
    problem === 'too_many_pages' ? `A maximum of ${maxMedia} PDF pages may be provided.` : MESSAGES[problem];
  return { ...validationError(message, `${formatMediaPath(path)}.pdf.source.base64.data`), mediaPath: path };
}

const MESSAGES: Record<Exclude<PdfProblem, 'too_many_pages'>, string> = {
  malformed: 'The PDF specified was not valid.',
  encrypted: 'The PDF specified is password protected.',
  too_much_text: 'The PDF specified holds more text than this server reads.',
  too_slow: 'The PDF specified takes too long to read.',
  too_much_memory: 'The PDF specified needs too much memory to read.',
  cancelled: 'The PDF specified was not read to its end.',
};
