import type { ImageSize } from '../request-types.ts';
import type { Base64Bytes } from './base64-bytes.ts';

/** Size of a WebP by its first chunk: lossy (VP8), lossless (VP8L) or extended (VP8X: the canvas). */
export function readWebpSize(bytes: Base64Bytes): ImageSize | undefined {
  if (bytes.ascii(12, 'VP8X')) return { width: bytes.u24le(24) + 1, height: bytes.u24le(27) + 1 };
  if (bytes.ascii(12, 'VP8L') && bytes.at(20) === 0x2f) {
    const low = bytes.u16le(21);
    const high = bytes.u16le(23);
    return { width: (low & 0x3fff) + 1, height: ((low >> 14) | ((high & 0xfff) << 2)) + 1 };
  }
  const startCode = bytes.at(23) === 0x9d && bytes.at(24) === 0x01 && bytes.at(25) === 0x2a;
  if (!bytes.ascii(12, 'VP8 ') || !startCode) return undefined;
  return { width: bytes.u16le(26) & 0x3fff, height: bytes.u16le(28) & 0x3fff };
}
