import { isObject } from '../../validation/problem.ts';
import { decodeBase64 } from './decode-base64.ts';

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

export type ReadLink = { ok: true; shared: SharedRequest } | { ok: false };

/** Maximum length of the fragment in characters. All current browsers open such a link, chat programs keep it whole. */
export const MAX_FRAGMENT_LENGTH = 32_000;
/** Maximum size in bytes of a decompressed link. */
const MAX_CONTENT_BYTES = 8_000_000;

/** The number is the version of the format. */
const PREFIX = '#request=1.';
/** This format ends with a checksum, `deflate-raw` does not. */
const FORMAT = 'deflate';

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
  return PREFIX + toBase64Url(await transform(bytes, new CompressionStream(FORMAT), Infinity));
}

/** @throws Error if the fragment is of another version or damaged */
async function decodeFragment(fragment: string): Promise<Uint8Array> {
  const compressed = fragment.startsWith(PREFIX) ? decodeBase64(fragment.slice(PREFIX.length)) : undefined;
  if (!compressed) throw new RangeError('The link has another version or characters that are no base64.');
  return transform(compressed, new DecompressionStream(FORMAT), MAX_CONTENT_BYTES);
}

/** @throws RangeError if the result has more than `maxBytes` */
async function transform(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
  maxBytes: number,
): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
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
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function isSharedRequest(content: unknown): content is SharedRequest {
  if (!isObject(content)) return false;
  const { text, otherModels, files } = content;
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
