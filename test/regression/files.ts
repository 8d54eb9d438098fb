import { createPdf } from '../support/pdf-bytes.ts';
import { createGif } from '../support/untrusted-host.ts';

/** Files behind the URLs in the records. */
export const files: Readonly<Record<string, { type: string; bytes: Buffer }>> = {
  'http://files.test/pier.gif': { type: 'image/gif', bytes: createGif(640, 480) },
  'http://files.test/almanac.pdf': {
    type: 'application/pdf',
    bytes: Buffer.from(createPdf([['High water at noon.'], ['Low water at six.']])),
  },
};
