import type { DocumentSource, MediaReference, PdfFacts } from '../../../../packages/token-counter/src/index.ts';
import { formatMediaPath } from '../validation/media-rules.ts';
import { type Problem, validationError } from '../validation/problem.ts';
import type { PdfProblem, PdfResult } from './pdf-result.ts';

type PdfsRead = { ok: true; pdfs: Map<DocumentSource, PdfFacts> } | { ok: false; problem: Problem };

/**
 * Reads the PDFs among `media`, one after another. All of them together may have `maxMedia` pages.
 * @param readPdf reads one PDF from its base64 data
 */
export async function readPdfs(
  media: readonly MediaReference[],
  maxMedia: number,
  readPdf: (data: string) => Promise<PdfResult>,
): Promise<PdfsRead> {
  const pdfs = new Map<DocumentSource, PdfFacts>();
  let pageCount = 0;
  for (const { path, block } of media) {
    const { source } = block;
    if (block.type !== 'document' || source.type !== 'base64') continue;
    // Blocks with one URL share their source.
    const facts = pdfs.get(source);
    const result = facts ? { ok: true as const, pages: facts.pages } : await readPdf(source.data);
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
