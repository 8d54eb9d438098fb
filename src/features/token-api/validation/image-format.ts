const PNG_SIGNATURE = 0x89504e47;
const PNG_HEADER_BYTES = 8;
/** Bytes of a chunk beside its data: length, type and checksum. */
const PNG_CHUNK_BYTES = 12;

/** Returns the media type of an image by its first bytes. */
export function readImageType(bytes: Buffer): string | undefined {
  if (bytes.length < 12) return undefined;
  if (isPng(bytes)) return 'image/png';
  if (bytes.readUInt16BE(0) === 0xffd8) return 'image/jpeg';
  const start = bytes.toString('latin1', 0, 12);
  if (start.startsWith('GIF8')) return 'image/gif';
  return start.startsWith('RIFF') && start.endsWith('WEBP') ? 'image/webp' : undefined;
}

const isPng = (bytes: Buffer): boolean => bytes.readUInt32BE(0) === PNG_SIGNATURE;

/** Returns whether a PNG has its last chunk. Other formats are not checked. */
export function isCompleteImage(bytes: Buffer): boolean {
  if (!isPng(bytes)) return true;
  let at = PNG_HEADER_BYTES;
  while (at + PNG_CHUNK_BYTES <= bytes.length) {
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') return true;
    at += PNG_CHUNK_BYTES + bytes.readUInt32BE(at);
  }
  return false;
}
