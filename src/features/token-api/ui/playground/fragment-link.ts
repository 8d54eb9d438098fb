/** What a link carries: the text of the request, the compared models and the files that fit. */
export interface SharedRequest {
  text: string;
  otherModels: string[];
  files: [name: string, data: string][];
}

type WrittenLink =
  | { ok: true; url: string; omittedFiles: string[] }
  /** The text alone exceeds the limit. */
  | { ok: false; length: number };

type ReadLink = { ok: true; shared: SharedRequest } | { ok: false };

/** Maximum length of the fragment in characters. All current browsers open such a link, chat programs keep it whole. */
export const MAX_FRAGMENT_LENGTH = 32_000;
/** Maximum size in bytes of a decompressed link. */
const MAX_CONTENT_BYTES = 8_000_000;

const COMPRESSED_PREFIX = '#request=1.';
const PLAIN_PREFIX = '#request=0.';

/** Returns whether the fragment of a URL carries a request. */
export const hasSharedRequest = (fragment: string): boolean => fragment.startsWith('#request=');

/**
 * Returns a link to `pageUrl` that carries a request in its fragment, which browsers do not send. Files are omitted if
 * the link would exceed its limit with them.
 */
export async function writeLink(pageUrl: string, shared: SharedRequest): Promise<WrittenLink> {
  const complete = await encodeFragment(shared);
  if (complete.length <= MAX_FRAGMENT_LENGTH) return { ok: true, url: pageUrl + complete, omittedFiles: [] };
  const withoutFiles = await encodeFragment({ ...shared, files: [] });
  if (withoutFiles.length > MAX_FRAGMENT_LENGTH) return { ok: false, length: withoutFiles.length };
  return { ok: true, url: pageUrl + withoutFiles, omittedFiles: shared.files.map(([name]) => name) };
}

/** Reads a fragment from `writeLink`. Returns all of its content, or nothing if any of it is damaged. */
export async function readLink(fragment: string): Promise<ReadLink> {
  try {
    const bytes = await decodeFragment(fragment);
    const content: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return isSharedRequest(content) ? { ok: true, shared: content } : { ok: false };
  } catch {
    return { ok: false };
  }
}

async function encodeFragment(shared: SharedRequest): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  if (typeof CompressionStream === 'undefined') return PLAIN_PREFIX + toBase64Url(appendChecksum(bytes));
  // The format `deflate` ends with a checksum, `deflate-raw` does not.
  return COMPRESSED_PREFIX + toBase64Url(await readAll(pipe(bytes, new CompressionStream('deflate')), Infinity));
}

async function decodeFragment(fragment: string): Promise<Uint8Array> {
  if (fragment.startsWith(PLAIN_PREFIX)) return removeChecksum(fromBase64Url(fragment.slice(PLAIN_PREFIX.length)));
  if (!fragment.startsWith(COMPRESSED_PREFIX)) throw new RangeError('The version of the link is not known.');
  const compressed = fromBase64Url(fragment.slice(COMPRESSED_PREFIX.length));
  return readAll(pipe(compressed, new DecompressionStream('deflate')), MAX_CONTENT_BYTES);
}

const pipe = (
  bytes: Uint8Array<ArrayBuffer>,
  transform: CompressionStream | DecompressionStream,
): ReadableStream<Uint8Array> => new Blob([bytes]).stream().pipeThrough(transform);

/** @throws RangeError if the stream has more than `maxBytes` */
async function readAll(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  let chunk = await reader.read();
  while (!chunk.done) {
    length += chunk.value.length;
    if (length > maxBytes) {
      await reader.cancel();
      throw new RangeError(`The link has more than ${maxBytes} bytes.`);
    }
    chunks.push(chunk.value);
    chunk = await reader.read();
  }
  const all = new Uint8Array(length);
  let offset = 0;
  for (const each of chunks) {
    all.set(each, offset);
    offset += each.length;
  }
  return all;
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function appendChecksum(bytes: Uint8Array): Uint8Array {
  const all = new Uint8Array(bytes.length + 4);
  all.set(bytes);
  new DataView(all.buffer).setUint32(bytes.length, computeAdler32(bytes));
  return all;
}

function removeChecksum(all: Uint8Array): Uint8Array {
  const bytes = all.subarray(0, -4);
  if (new DataView(all.buffer).getUint32(bytes.length) !== computeAdler32(bytes))
    throw new RangeError('The checksum of the link is wrong.');
  return bytes;
}

/** Returns the Adler-32 checksum (RFC 1950), which the compressed format has as well. */
function computeAdler32(bytes: Uint8Array): number {
  let low = 1;
  let high = 0;
  for (const byte of bytes) {
    low = (low + byte) % 65_521;
    high = (high + low) % 65_521;
  }
  return high * 0x10000 + low;
}

function isSharedRequest(content: unknown): content is SharedRequest {
  if (typeof content !== 'object' || content === null) return false;
  const { text, otherModels, files } = content as Partial<Record<keyof SharedRequest, unknown>>;
  const isText = (value: unknown): boolean => typeof value === 'string';
  const isFile = (value: unknown): boolean => Array.isArray(value) && value.length === 2 && value.every(isText);
  return (
    isText(text) &&
    Array.isArray(otherModels) &&
    otherModels.every(isText) &&
    Array.isArray(files) &&
    files.every(isFile)
  );
}
