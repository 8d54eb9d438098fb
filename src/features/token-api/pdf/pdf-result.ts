import type { PdfFacts } from '../../../../packages/token-counter/src/index.ts';

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

/** Of one document. 600 pages is the provider's limit; the others keep it from holding up the rest. */
export const DEFAULT_PDF_LIMITS = {
  pages: 600,
  /** Of text, on all pages. */
  characters: 20_000_000,
  /** Milliseconds of processor time a document may take, so that a busy machine refuses no good one. */
  processorMilliseconds: 10_000,
  /** Milliseconds by the clock, for one that waits without computing. */
  elapsedMilliseconds: 120_000,
  /** Megabytes that parsing one document may add. */
  megabytes: 512,
};

export type PdfLimits = typeof DEFAULT_PDF_LIMITS;
