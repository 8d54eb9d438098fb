const PNG_SIGNATURE = 0x89504e47;
const PNG_HEADER_BYTES = 8;
/** The type of the last chunk, `IEND`. */
const PNG_LAST_CHUNK = 0x49454e44;
/** Bytes of a chunk beside its data: length, type and checksum. */
const PNG_CHUNK_BYTES = 12;
/** Number of the first bytes that determine the type. */
const SIGNATURE_BYTES = 12;

/** Returns the media type of an image by its first bytes, or `undefined` for another file. */
export function readImageType(bytes: Uint8Array): string | undefined {
  if (bytes.length < SIGNATURE_BYTES) return undefined;
  if (isPng(bytes)) return 'image/png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return 'image/jpeg';
  const start = String.fromCharCode(...bytes.subarray(0, SIGNATURE_BYTES));
  if (start.startsWith('GIF8')) return 'image/gif';
  return start.startsWith('RIFF') && start.endsWith('WEBP') ? 'image/webp' : undefined;
}

/** Returns whether a file is a PNG that ends within a chunk after its header. Bytes after the last chunk are allowed. */
export function isTruncatedPng(bytes: Uint8Array): boolean {
  if (!isPng(bytes)) return false;
  let at = PNG_HEADER_BYTES;
  while (at + PNG_CHUNK_BYTES <= bytes.length) {
    const isHeader = at === PNG_HEADER_BYTES;
    if (readUint32(bytes, at + 4) === PNG_LAST_CHUNK) return false;
    at += PNG_CHUNK_BYTES + readUint32(bytes, at);
    if (at > bytes.length) return !isHeader;
  }
  return false;
}

const isPng = (bytes: Uint8Array): boolean => bytes.length >= 4 && readUint32(bytes, 0) === PNG_SIGNATURE;

/** Reads four bytes in big-endian order. */
function readUint32(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}
