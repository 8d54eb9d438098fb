import type { IncomingMessage } from 'node:http';
import type { FetchProblem } from './fetch-problem.ts';
import type { RequestedUrl } from './requested-url.ts';

interface FileKind {
  accept: string;
  /** Accepted content types. Servers without a specific type send one of the last two. */
  contentTypes: readonly string[];
  /** Maximum bytes. An image may have the bytes that 10 MB of base64 encode, as for inline images. */
  maxBytes: number;
  /** Returns whether a file with these first bytes can be of this kind. */
  matchesSignature(head: string): boolean;
}

const GENERIC_CONTENT_TYPES = ['application/octet-stream', 'binary/octet-stream'];

/** Number of first bytes that identify the file type. */
const HEAD_BYTES = 12;

export const FILE_KINDS: Record<RequestedUrl['kind'], FileKind> = {
  image: {
    accept: 'image/webp, image/png, image/jpeg, image/gif',
    contentTypes: [
      'image/jpeg',
      'image/jpg',
      'image/pjpeg',
      'image/png',
      'image/x-png',
      'image/gif',
      'image/webp',
      ...GENERIC_CONTENT_TYPES,
    ],
    maxBytes: (10 * 1024 * 1024 * 3) / 4,
    matchesSignature: (head) =>
      ['\xff\xd8\xff', '\x89PNG\r\n\x1a\n', 'GIF87a', 'GIF89a'].some((signature) => head.startsWith(signature)) ||
      (head.startsWith('RIFF') && head.startsWith('WEBP', 8)),
  },
  document: {
    accept: 'application/pdf',
    contentTypes: ['application/pdf', 'application/x-pdf', ...GENERIC_CONTENT_TYPES],
    maxBytes: 32 * 1024 * 1024,
    matchesSignature: (head) => head.startsWith('%PDF-'),
  },
};

/** Returns whether the content type fits the kind of file. A missing content type is accepted. */
function isContentTypeAllowed(kind: RequestedUrl['kind'], contentType: string | undefined): boolean {
  if (contentType === undefined) return true;
  return FILE_KINDS[kind].contentTypes.includes(contentType.split(';', 1)[0]!.trim().toLowerCase());
}

const readHead = (file: Uint8Array): string => Buffer.from(file.subarray(0, HEAD_BYTES)).toString('latin1');

export type FileRead = { ok: true; bytes: Uint8Array<ArrayBuffer> } | { ok: false; problem: FetchProblem };

/**
 * Reads the body of a 200 response up to the limit of its kind, independent of its length header. Stops if the first
 * bytes do not match the kind. Rejects if the connection breaks or the request is aborted. Always closes the
 * connection.
 * @param meterBytes called with the number of bytes before they are stored. May throw to stop the read.
 */
export async function readFile(
  response: IncomingMessage,
  kind: RequestedUrl['kind'],
  meterBytes: (bytes: number) => void,
): Promise<FileRead> {
  const { 'content-encoding': encoding, 'content-type': type, 'content-length': length } = response.headers;
  const { maxBytes, matchesSignature } = FILE_KINDS[kind];
  if (encoding !== undefined && encoding !== '' && encoding.toLowerCase() !== 'identity') return failedRead('encoded');
  if (!isContentTypeAllowed(kind, type)) return failedRead('wrong_type');
  if (Number(length) > maxBytes) return failedRead('too_large');
  let buffer = new Uint8Array(16 * 1024);
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (bytes + chunk.length > maxBytes) return failedRead('too_large');
    meterBytes(chunk.length);
    if (bytes + chunk.length > buffer.length) buffer = growBuffer(buffer, bytes + chunk.length);
    buffer.set(chunk, bytes);
    const wasHeadIncomplete = bytes < HEAD_BYTES;
    bytes += chunk.length;
    if (wasHeadIncomplete && bytes >= HEAD_BYTES && !matchesSignature(readHead(buffer)))
      return failedRead('wrong_type');
  }
  if (bytes < HEAD_BYTES) return failedRead('wrong_type');
  return { ok: true, bytes: buffer.slice(0, bytes) };
}

function growBuffer(buffer: Uint8Array<ArrayBuffer>, minLength: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(minLength, buffer.length * 2));
  larger.set(buffer);
  return larger;
}

const failedRead = (problem: FetchProblem): FileRead => ({ ok: false, problem });
