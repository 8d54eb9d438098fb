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

/** Returns whether a PNG ends within a chunk after its header. Other formats are not checked. */
export function isCutOff(bytes: Buffer): boolean {
  if (!isPng(bytes)) return false;
  let at = PNG_HEADER_BYTES;
  while (at + PNG_CHUNK_BYTES <= bytes.length) {
    const isHeader = at === PNG_HEADER_BYTES;
    at += PNG_CHUNK_BYTES + bytes.readUInt32BE(at);
    if (at > bytes.length) return !isHeader;
  }
  return false;
}
