import type { WantedUrl } from './wanted-url.ts';

interface FileKind {
  accept: string;
  /** Content types that may hold such a file; servers that do not know say one of the last two. */
  types: readonly string[];
  /** The most bytes: for an image what the 10 MB of base64 hold that an inline one may have. */
  maxBytes: number;
  /** Whether a file that begins so can be one. */
  startsAs(head: Uint8Array): boolean;
}

const UNKNOWN_TYPES = ['application/octet-stream', 'binary/octet-stream'];

/** Bytes needed to tell what a file is. */
export const HEAD_BYTES = 12;

export const FILE_KINDS: Record<WantedUrl['kind'], FileKind> = {
  image: {
    accept: 'image/webp, image/png, image/jpeg, image/gif',
    types: [
      'image/jpeg',
      'image/jpg',
      'image/pjpeg',
      'image/png',
      'image/x-png',
      'image/gif',
      'image/webp',
      ...UNKNOWN_TYPES,
    ],
    maxBytes: (10 * 1024 * 1024 * 3) / 4,
    startsAs: (head) => {
      const text = Buffer.from(head).toString('latin1');
      return (
        ['\xff\xd8\xff', '\x89PNG\r\n\x1a\n', 'GIF87a', 'GIF89a'].some((magic) => text.startsWith(magic)) ||
        (text.startsWith('RIFF') && text.startsWith('WEBP', 8))
      );
    },
  },
  document: {
    accept: 'application/pdf',
    types: ['application/pdf', 'application/x-pdf', ...UNKNOWN_TYPES],
    maxBytes: 32 * 1024 * 1024,
    startsAs: (head) => Buffer.from(head).toString('latin1').startsWith('%PDF-'),
  },
};

/** Whether the content type of an answer can be that of such a file; one without says nothing. */
export function mayBe(kind: WantedUrl['kind'], contentType: string | undefined): boolean {
  if (contentType === undefined) return true;
  return FILE_KINDS[kind].types.includes(contentType.split(';', 1)[0]!.trim().toLowerCase());
}
