import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import type { PdfLimits, PdfPage, PdfResult } from './pdf-result.ts';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
type PdfPageProxy = Awaited<ReturnType<PdfDocument['getPage']>>;

/** Reads sizes and texts of all pages in this thread. Never throws. */
export async function readPages(bytes: Uint8Array, limits: PdfLimits): Promise<PdfResult> {
  let document: PdfDocument | undefined;
  try {
    document = await getDocumentProxy(bytes, { verbosity: 0, stopAtErrors: false, maxImageSize: 1 });
    if (document.numPages > limits.pages) return { ok: false, problem: 'too_many_pages' };
    const pages: PdfPage[] = [];
    let remainingCharacters = limits.characters;
    for (let number = 1; number <= document.numPages; number++) {
      const page = await readPage(document, number);
      remainingCharacters -= page.text.length;
      if (remainingCharacters < 0) return { ok: false, problem: 'too_much_text' };
      pages.push(page);
    }
    return { ok: true, pages };
  } catch (error) {
    return { ok: false, problem: isPasswordError(error) ? 'encrypted' : 'malformed' };
  } finally {
    await document?.loadingTask.destroy().catch(() => undefined);
  }
}

/** Loads the library, which otherwise loads with the first document. */
export async function loadPdfLibrary(): Promise<void> {
  await getResolvedPDFJS();
}

async function readPage(document: PdfDocument, number: number): Promise<PdfPage> {
  const page = await document.getPage(number);
  const { width, height } = page.getViewport({ scale: 1 });
  const content = await page.getTextContent();
  const runs = content.items.filter((item) => 'str' in item);
  const lineEndSpaces = await findSpacesAtLineEnds(page, runs);
  const text = runs
    .map(({ str, hasEOL }, index) => str + (lineEndSpaces[index] ? ' ' : '') + (hasEOL ? '\n' : ''))
    .join('');
  page.cleanup();
  return { width, height, text };
}

function isPasswordError(error: unknown): boolean {
  return error instanceof Error && error.name === 'PasswordException';
}

/** One run of text of a page from pdf.js, without the spaces at the end of a line. */
interface TextRun {
  str: string;
  hasEOL: boolean;
}

/** Characters that pdf.js folds or omits. They are skipped when the drawn text and the runs are compared. */
const FOLDED = /\s/u;

/**
 * Returns for each run at the end of a line whether a space is drawn after its last word. The provider counts this
 * space (3 of 8 recorded files), pdf.js drops it. Returns false for all if the drawn text does not match the runs.
 */
async function findSpacesAtLineEnds(page: PdfPageProxy, runs: readonly TextRun[]): Promise<readonly boolean[]> {
  const drawnCharacters = await readDrawnCharacters(page);
  let drawnIndex = 0;
  return runs.map(({ str, hasEOL }) => {
    for (const character of str.normalize('NFKC')) {
      if (FOLDED.test(character)) continue;
      while (FOLDED.test(drawnCharacters[drawnIndex] ?? '')) drawnIndex++;
      const isMismatch = drawnCharacters[drawnIndex] !== character;
      if (isMismatch) drawnIndex = drawnCharacters.length;
      else drawnIndex++;
    }
    return hasEOL && drawnCharacters[drawnIndex] === ' ';
  });
}

/** Returns every character that the page draws, in drawing order. */
async function readDrawnCharacters(page: PdfPageProxy): Promise<readonly string[]> {
  const { OPS } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await page.getOperatorList();
  return fnArray.flatMap((operation, index) => {
    if (operation !== OPS.showText) return [];
    const [glyphs] = argsArray[index] as [readonly ({ unicode: string } | number)[]];
    return glyphs.flatMap((glyph) => (typeof glyph === 'number' ? [] : [...glyph.unicode.normalize('NFKC')]));
  });
}
