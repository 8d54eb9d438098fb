import { createPdf } from '../../support/pdf-bytes.ts';
import { createGif } from '../../support/untrusted-host.ts';

export const GIF_URL = 'http://files.test/pier.gif';
export const PDF_URL = 'http://files.test/almanac.pdf';

/** Files behind the URLs in the records. */
export const files: Readonly<Record<string, { type: string; bytes: Buffer }>> = {
  [GIF_URL]: { type: 'image/gif', bytes: createGif(640, 480) },
  [PDF_URL]: {
    type: 'application/pdf',
    bytes: Buffer.from(createPdf([['High water at noon.'], ['Low water at six.']])),
  },
};
