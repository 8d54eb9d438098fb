import type { ImageSize } from '../request-types.ts';
import { Base64Bytes } from './base64-bytes.ts';

/**
 * Reads the pixel size of a JPEG, PNG, GIF (its canvas) or WebP from its header. The bytes determine the format, not
 * the declared type. Rotation flags are ignored, because swapped sides give an equal token count.
 * @param base64 the base64-encoded file, of which only the header is decoded
 * @returns undefined if the bytes are not such an image or contain no size
 */
export function readImageSize(base64: string): ImageSize | undefined {
  const bytes = new Base64Bytes(base64);
  const size = readSize(bytes);
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

function readSize(bytes: Base64Bytes): ImageSize | undefined {
  if (bytes.u16be(0) === 0xffd8) return readJpegSize(bytes);
  if (bytes.u32be(0) === 0x89504e47) return readPngSize(bytes);
  if (bytes.hasAsciiAt(0, 'GIF8')) return { width: bytes.u16le(6), height: bytes.u16le(8) };
  if (bytes.hasAsciiAt(0, 'RIFF') && bytes.hasAsciiAt(8, 'WEBP')) return readWebpSize(bytes);
  return undefined;
}

/** Reads the size of a PNG. IHDR is the first chunk, except in Apple's variant, which has CgBI before it. */
function readPngSize(bytes: Base64Bytes): ImageSize | undefined {
  let chunkOffset = 8;
  if (bytes.hasAsciiAt(chunkOffset + 4, 'CgBI')) chunkOffset += 12 + bytes.u32be(chunkOffset);
  if (!bytes.hasAsciiAt(chunkOffset + 4, 'IHDR')) return undefined;
  return { width: bytes.u32be(chunkOffset + 8), height: bytes.u32be(chunkOffset + 12) };
}

/** Reads the size of a WebP from its first chunk: lossy (VP8), lossless (VP8L) or extended (VP8X: the canvas). */
function readWebpSize(bytes: Base64Bytes): ImageSize | undefined {
  if (bytes.hasAsciiAt(12, 'VP8X')) return { width: bytes.u24le(24) + 1, height: bytes.u24le(27) + 1 };
  if (bytes.hasAsciiAt(12, 'VP8L') && bytes.byteAt(20) === 0x2f) {
    const low = bytes.u16le(21);
    const high = bytes.u16le(23);
    return { width: (low & 0x3fff) + 1, height: ((low >> 14) | ((high & 0xfff) << 2)) + 1 };
  }
  const startCode = bytes.byteAt(23) === 0x9d && bytes.byteAt(24) === 0x01 && bytes.byteAt(25) === 0x2a;
  if (!bytes.hasAsciiAt(12, 'VP8 ') || !startCode) return undefined;
  return { width: bytes.u16le(26) & 0x3fff, height: bytes.u16le(28) & 0x3fff };
}

/** Maximum number of segments. More segments indicate a file that is made to waste time. */
const MAX_SEGMENTS = 4096;

/**
 * Reads the size from the first frame header (any SOF: baseline, progressive, lossless, arithmetic). Segments are
 * skipped by their length, so a thumbnail in the EXIF segment is never read.
 */
function readJpegSize(bytes: Base64Bytes): ImageSize | undefined {
  let offset = 2;
  for (let segmentIndex = 0; segmentIndex < MAX_SEGMENTS && offset + 4 <= bytes.length; segmentIndex++) {
    if (bytes.byteAt(offset) !== 0xff) return undefined;
    const marker = bytes.byteAt(offset + 1);
    if (marker === 0xff) {
      offset++;
      continue;
    }
    if (isStandalone(marker)) {
      offset += 2;
      continue;
    }
    if (isFrameHeader(marker)) return { height: bytes.u16be(offset + 5), width: bytes.u16be(offset + 7) };
    // Scan data or the end before a frame header: the file has no size.
    if (marker === 0xda || marker === 0xd9) return undefined;
    offset += 2 + bytes.u16be(offset + 2);
  }
  return undefined;
}

function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function isStandalone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}
