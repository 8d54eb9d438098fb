import type { IncomingMessage } from 'node:http';
import type { FetchProblem } from './fetch-problem.ts';
import type { WantedUrl } from './wanted-url.ts';

interface FileKind {
  accept: string;
  /** Content types that may hold such a file; servers that do not know say one of the last two. */
  types: readonly string[];
  /** The most bytes: for an image what the 10 MB of base64 hold that an inline one may have. */
  maxBytes: number;
  /** Whether a file that begins so can be one. */
  startsAs(head: string): boolean;
}

const UNKNOWN_TYPES = ['application/octet-stream', 'binary/octet-stream'];

/** Bytes needed to tell what a file is. */
const HEAD_BYTES = 12;

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
    startsAs: (head) =>
      ['\xff\xd8\xff', '\x89PNG\r\n\x1a\n', 'GIF87a', 'GIF89a'].some((magic) => head.startsWith(magic)) ||
      (head.startsWith('RIFF') && head.startsWith('WEBP', 8)),
  },
  document: {
    accept: 'application/pdf',
    types: ['application/pdf', 'application/x-pdf', ...UNKNOWN_TYPES],
    maxBytes: 32 * 1024 * 1024,
    startsAs: (head) => head.startsWith('%PDF-'),
  },
};

/** Whether the content type of an answer can be that of such a file; one without says nothing. */
function mayBe(kind: WantedUrl['kind'], contentType: string | undefined): boolean {
  if (contentType === undefined) return true;
  return FILE_KINDS[kind].types.includes(contentType.split(';', 1)[0]!.trim().toLowerCase());
}

const headOf = (file: Uint8Array): string => Buffer.from(file.subarray(0, HEAD_BYTES)).toString('latin1');

export type FileRead = { ok: true; bytes: Uint8Array<ArrayBuffer> } | { ok: false; problem: FetchProblem };

/**
 * Reads the body of a 200 answer within the limit of its kind, whatever its length header says, and gives up as soon as
 * its first bytes are not those of such a file. Rejects when the connection breaks or the request is aborted; ends the
 * connection in any case.
 * @param charge is told of all bytes before they are kept, and may throw to end it
 */
export async function readFile(
  response: IncomingMessage,
  kind: WantedUrl['kind'],
  charge: (bytes: number) => void,
): Promise<FileRead> {
  const { 'content-encoding': encoding, 'content-type': type, 'content-length': length } = response.headers;
  const { maxBytes, startsAs } = FILE_KINDS[kind];
  if (encoding !== undefined && encoding !== '' && encoding.toLowerCase() !== 'identity') return refused('encoded');
  if (!mayBe(kind, type)) return refused('wrong_type');
  if (Number(length) > maxBytes) return refused('too_large');
  let kept = new Uint8Array(16 * 1024);
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    if (bytes + piece.length > maxBytes) return refused('too_large');
    charge(piece.length);
    if (bytes + piece.length > kept.length) kept = grown(kept, bytes + piece.length);
    kept.set(piece, bytes);
    const isHeadNew = bytes < HEAD_BYTES;
    bytes += piece.length;
    if (isHeadNew && bytes >= HEAD_BYTES && !startsAs(headOf(kept))) return refused('wrong_type');
  }
  if (bytes < HEAD_BYTES) return refused('wrong_type');
  return { ok: true, bytes: kept.slice(0, bytes) };
}

function grown(kept: Uint8Array<ArrayBuffer>, needed: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(needed, kept.length * 2));
  larger.set(kept);
  return larger;
}

const refused = (problem: FetchProblem): FileRead => ({ ok: false, problem });
