import { DEFAULT_PDF_LIMITS, type PdfResult } from '../../pdf/pdf-result.ts';
import { loadPdfLibrary, readPages } from '../../pdf/read-pages.ts';

/** Reads the pages of a PDF from valid base64. */
export async function readPdfData(base64: string): Promise<PdfResult> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return readPages(bytes, DEFAULT_PDF_LIMITS);
}

/** Loads the library. */
export const preload = loadPdfLibrary;
