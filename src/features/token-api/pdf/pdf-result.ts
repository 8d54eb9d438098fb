import type { PdfFacts } from '../../../../packages/token-counter/src/index.ts';

export type PdfPage = PdfFacts['pages'][number];

/** Reasons for the rejection of a PDF. */
export type PdfProblem =
  /** Not a PDF, or damaged beyond repair. */
  | 'malformed'
  /** A password is required. */
  | 'encrypted'
  | 'too_many_pages'
  /** The text is longer than the limit. */
  | 'too_much_text'
  /** The time limit was exceeded. */
  | 'too_slow'
  /** The unpacked content exceeds the memory limit (decompression bomb). */
  | 'too_much_memory'
  /** The caller aborted, or the service stops. */
  | 'cancelled';

export type PdfResult = { ok: true; pages: PdfPage[] } | { ok: false; problem: PdfProblem };

/** Limits of one document. The provider's limit is 600 pages. The other limits protect the documents behind it. */
export const DEFAULT_PDF_LIMITS = {
  pages: 600,
  /** Maximum characters of text on all pages. */
  characters: 20_000_000,
  /** Maximum CPU time in ms. CPU time does not depend on the load of the machine. */
  processorMilliseconds: 10_000,
  /** Maximum elapsed time in ms, for a document that waits without computing. */
  elapsedMilliseconds: 120_000,
  /** Maximum memory in MB of the thread, with its library, while a document is parsed. */
  megabytes: 512,
};

export type PdfLimits = typeof DEFAULT_PDF_LIMITS;
