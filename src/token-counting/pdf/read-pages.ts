import { getDocumentProxy } from 'unpdf';
import type { PdfLimits, PdfPage, PdfResult } from './pdf-result.ts';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

/** Reads sizes and texts of all pages, in this thread. Never throws. */
export async function readPages(bytes: Uint8Array, limits: PdfLimits): Promise<PdfResult> {
  let document: PdfDocument | undefined;
  try {
    document = await getDocumentProxy(bytes, { verbosity: 0, stopAtErrors: false });
    if (document.numPages > limits.pages) return { ok: false, problem: 'too_many_pages' };
    const lineEnd = (await keepsLineBlanks(document)) ? ' \n' : '\n';
    const pages: PdfPage[] = [];
    let left = limits.characters;
    for (let number = 1; number <= document.numPages; number++) {
      const page = await readPage(document, number, lineEnd);
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

async function readPage(document: PdfDocument, number: number, lineEnd: string): Promise<PdfPage> {
  const page = await document.getPage(number);
  const { width, height } = page.getViewport({ scale: 1 });
  const content = await page.getTextContent();
  let text = '';
  for (const item of content.items) {
    if (!('str' in item)) continue;
    text += item.str;
    if (item.hasEOL) text += lineEnd;
  }
  page.cleanup();
  return { width, height, text };
}

/**
 * Apple's PDF writer puts a blank behind the last word of a line; the service's reader keeps it, ours drops it
 * (2 of 2 recorded files: 0 and 4 tokens off with it, 3 and 31 without).
 */
async function keepsLineBlanks(document: PdfDocument): Promise<boolean> {
  const { info } = await document.getMetadata();
  const producer: unknown = (info as Record<string, unknown>)['Producer'];
  return typeof producer === 'string' && producer.includes('Quartz PDFContext');
}

function isPasswordError(error: unknown): boolean {
  return error instanceof Error && error.name === 'PasswordException';
}
