import type { DocumentSource, MediaReference, PdfFacts } from '../../../../packages/token-counter/src/index.ts';
import { formatMediaPath } from '../validation/media-rules.ts';
import { type Problem, validationError } from '../validation/problem.ts';
import type { PdfProblem, PdfResult } from './pdf-result.ts';

/** A PDF and the path of its block. */
export interface PdfDocument<Source> {
  path: string;
  /** The file. Blocks with one URL share their source. */
  source: Source;
}

/** A document in base64. */
export type Base64Source = Extract<DocumentSource, { type: 'base64' }>;

/** The facts of each PDF by its source, or the problem of one that cannot be counted. */
type PdfsRead = { ok: true; pdfs: ReadonlyMap<unknown, PdfFacts> } | { ok: false; problem: Problem };

/** Returns the base64 documents among `media`. */
export const listPdfs = (media: readonly MediaReference[]): PdfDocument<Base64Source>[] =>
  media.flatMap(({ path, block: { type, source } }) =>
    type === 'document' && source.type === 'base64' ? [{ path, source }] : [],
  );

/**
 * Reads PDFs one after another. All of them together may have `maxMedia` pages.
 * @param readPdf reads one PDF
 */
export async function readPdfs<Source>(
  documents: readonly PdfDocument<Source>[],
  maxMedia: number,
  readPdf: (source: Source) => Promise<PdfResult>,
): Promise<PdfsRead> {
  const pdfs = new Map<Source, PdfFacts>();
  let pageCount = 0;
  for (const { path, source } of documents) {
    const facts = pdfs.get(source);
    const result = facts ? { ok: true as const, pages: facts.pages } : await readPdf(source);
    if (!result.ok) return { ok: false, problem: createPdfProblem(path, result.problem, maxMedia) };
    pageCount += result.pages.length;
    if (pageCount > maxMedia) return { ok: false, problem: createPdfProblem(path, 'too_many_pages', maxMedia) };
    pdfs.set(source, { pages: result.pages });
  }
  return { ok: true, pdfs };
}

function createPdfProblem(path: string, problem: PdfProblem, maxMedia: number): Problem {
  const message =
    problem === 'too_many_pages' ? `A maximum of ${maxMedia} PDF pages may be provided.` : MESSAGES[problem];
  return { ...validationError(message, `${formatMediaPath(path)}.pdf.source.base64.data`), mediaPath: path };
}

const MESSAGES: Record<Exclude<PdfProblem, 'too_many_pages'>, string> = {
  malformed: 'The PDF specified was not valid.',
  encrypted: 'The PDF specified is password protected.',
  too_much_text: 'The PDF specified holds more text than Tally reads.',
  too_slow: 'The PDF specified takes too long to read.',
  too_much_memory: 'The PDF specified needs too much memory to read.',
  cancelled: 'The PDF specified was not read to its end.',
};
