import type { ImageSize } from '../request-types.ts';
import type { Base64Bytes } from './base64-bytes.ts';

/** Walking past this many segments means that the file is made to waste time. */
const MAX_SEGMENTS = 4096;

/**
 * Size from the first frame header (any SOF: baseline, progressive, lossless, arithmetic). Segments are skipped by
 * their length, so a thumbnail inside the EXIF segment is never taken for the image.
 */
export function readJpegSize(bytes: Base64Bytes): ImageSize | undefined {
  let offset = 2;
  for (let segment = 0; segment < MAX_SEGMENTS && offset + 4 <= bytes.length; segment++) {
    if (bytes.at(offset) !== 0xff) return undefined;
    const marker = bytes.at(offset + 1);
    if (marker === 0xff) {
      offset++;
      continue;
    }
    if (isStandalone(marker)) {
      offset += 2;
      continue;
    }
    if (isFrameHeader(marker)) return { height: bytes.u16be(offset + 5), width: bytes.u16be(offset + 7) };
    // Scan data or the end before any frame header: no size to be had.
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
