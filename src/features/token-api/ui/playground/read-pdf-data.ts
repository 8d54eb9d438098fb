import { DEFAULT_PDF_LIMITS, type PdfResult } from '../../pdf/pdf-result.ts';
import { decodeBase64 } from './decode-base64.ts';
import { loadPdfLibrary, readPages } from '../../pdf/read-pages.ts';

/** Reads the pages of a PDF from valid base64. */
export async function readPdfData(base64: string): Promise<PdfResult> {
  return readPages(decodeBase64(base64)!, DEFAULT_PDF_LIMITS);
}

/** Loads the library. */
export const preload = loadPdfLibrary;
