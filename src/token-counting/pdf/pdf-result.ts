import type { PdfFacts } from '../counter/index.ts';

export type PdfPage = PdfFacts['pages'][number];

/** Why a PDF was refused. */
export type PdfProblem =
  /** No PDF, or broken beyond repair. */
  | 'malformed'
  /** Needs a password. */
  | 'encrypted'
  | 'too_many_pages'
  /** More text than the limit. */
  | 'too_much_text'
  /** Took longer than the time limit. */
  | 'too_slow'
  /** Unpacked to more memory than the limit: a decompression bomb. */
  | 'too_much_memory'
  /** The caller gave up. */
  | 'cancelled';

export type PdfResult = { ok: true; pages: PdfPage[] } | { ok: false; problem: PdfProblem };

export interface PdfLimits {
  /** Pages a document may have. */
  pages: number;
  /** Characters of text of all pages. */
  characters: number;
  /** Milliseconds a document may take. */
  milliseconds: number;
  /** Megabytes that parsing one document may add. */
  megabytes: number;
}

/** 600 pages is the provider's limit; the others keep one document from holding up the rest. */
export const DEFAULT_PDF_LIMITS: PdfLimits = {
  pages: 600,
  characters: 20_000_000,
  milliseconds: 10_000,
  megabytes: 512,
};
