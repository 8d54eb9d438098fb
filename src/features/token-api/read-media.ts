import type { DocumentSource, MediaReference, PdfFacts } from '../../../packages/token-counter/src/index.ts';
import { Cancelled, type MediaFacts, type ReadMedia } from './count-body.ts';
import type { PdfParser } from './pdf/pdf-parser.ts';
import type { PdfProblem, PdfResult } from './pdf/pdf-result.ts';
import { type Problem, refuse } from './validation/problem.ts';

/** Reads what must be read before the count: PDFs, by a parser in a thread of its own. A URL that is left is refused
 * by name, never guessed at. */
export function createReadMedia(parser: PdfParser): ReadMedia {
  return async (media, model, cancelled): Promise<MediaFacts> => {
    const remote = media.find(({ block }) => block.source.type === 'url');
    if (remote) return { ok: false, problem: refuse(NOT_FETCHED, `${remote.path}.source.url`) };
    const most = model.maxMedia;
    const pdfs = new Map<DocumentSource, PdfFacts>();
    let pages = 0;
    for (const reference of media) {
      const { source } = reference.block;
      if (reference.block.type !== 'document' || source.type !== 'base64') continue;
      if (cancelled()) throw new Cancelled();
      // Blocks that name the same URL share their source.
      const known = pdfs.get(source);
      const read = known
        ? { ok: true as const, pages: known.pages }
        : await parseWhileWanted(parser, Buffer.from(source.data, 'base64'), cancelled);
      if (!read.ok && cancelled()) throw new Cancelled();
      if (!read.ok) return { ok: false, problem: unreadable(reference, read.problem, most) };
      pages += read.pages.length;
      if (pages > most) return { ok: false, problem: unreadable(reference, 'too_many_pages', most) };
      pdfs.set(source, { pages: read.pages });
    }
    return { ok: true, options: { pdf: (source) => pdfs.get(source) } };
  };
}

/** Milliseconds between two checks, while a PDF is read, whether its client is still connected. */
const ASK_MS = 50;

/** Reading may take seconds and ends when the client disconnects: the next document waits for the same thread. */
async function parseWhileWanted(parser: PdfParser, bytes: Uint8Array, cancelled: () => boolean): Promise<PdfResult> {
  const gone = new AbortController();
  const watch = setInterval(() => {
    if (cancelled()) gone.abort();
  }, ASK_MS);
  try {
    return await parser.parse(bytes, gone.signal);
  } finally {
    clearInterval(watch);
  }
}

const NOT_FETCHED = 'files behind URLs are fetched by the service alone; give the data as base64';

function unreadable({ path }: MediaReference, problem: PdfProblem, most: number): Problem {
  return refuse(
    problem === 'too_many_pages' ? `A maximum of ${most} PDF pages may be provided.` : SENTENCES[problem],
    `${path}.source.data`,
  );
}

const SENTENCES: Record<Exclude<PdfProblem, 'too_many_pages'>, string> = {
  malformed: 'The PDF specified was not valid.',
  encrypted: 'The PDF specified is password protected.',
  too_much_text: 'The PDF specified holds more text than this server reads.',
  too_slow: 'The PDF specified takes too long to read.',
  too_much_memory: 'The PDF specified needs too much memory to read.',
  cancelled: 'The PDF specified was not read to its end.',
};
