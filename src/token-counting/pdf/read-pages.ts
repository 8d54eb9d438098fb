import { getDocumentProxy } from 'unpdf';
import { blanksAtLineEnds } from './line-blanks.ts';
import type { PdfLimits, PdfPage, PdfResult } from './pdf-result.ts';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

/** Reads sizes and texts of all pages, in this thread. Never throws. */
export async function readPages(bytes: Uint8Array, limits: PdfLimits): Promise<PdfResult> {
  let document: PdfDocument | undefined;
  try {
    document = await getDocumentProxy(bytes, { verbosity: 0, stopAtErrors: false, maxImageSize: 1 });
    if (document.numPages > limits.pages) return { ok: false, problem: 'too_many_pages' };
    const pages: PdfPage[] = [];
    let left = limits.characters;
    for (let number = 1; number <= document.numPages; number++) {
      const page = await readPage(document, number);
      left -= page.text.length;
      if (left < 0) return { ok: false, problem: 'too_much_text' };
      pages.push(page);
    }
    return { ok: true, pages };
  } catch (error) {
    return { ok: false, problem: isPasswordError(error) ? 'encrypted' : 'malformed' };
  } finally {
    await document?.loadingTask.destroy().catch(() => undefined);
  }
}

async function readPage(document: PdfDocument, number: number): Promise<PdfPage> {
  const page = await document.getPage(number);
  const { width, height } = page.getViewport({ scale: 1 });
  const content = await page.getTextContent();
  const runs = content.items.filter((item) => 'str' in item);
  const blanks = await blanksAtLineEnds(page, runs);
  const text = runs.map(({ str, hasEOL }, index) => str + (blanks[index] ? ' ' : '') + (hasEOL ? '\n' : '')).join('');
  page.cleanup();
  return { width, height, text };
}

function isPasswordError(error: unknown): boolean {
  return error instanceof Error && error.name === 'PasswordException';
}
