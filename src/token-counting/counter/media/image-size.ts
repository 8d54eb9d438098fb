import type { ImageSize } from '../request-types.ts';
import { Base64Bytes } from './base64-bytes.ts';
import { readJpegSize } from './jpeg-size.ts';
import { readWebpSize } from './webp-size.ts';

/**
 * Pixel size of a JPEG, PNG, GIF (its canvas) or WebP from its header bytes; the bytes decide, not the declared type.
 * Rotation flags are not applied: the token count is the same with both sides swapped.
 * @param base64 the file, base64-encoded; only what the header needs is decoded
 * @returns undefined when the bytes are no such image, or hold no size
 */
export function readImageSize(base64: string): ImageSize | undefined {
  const bytes = new Base64Bytes(base64);
  const size = readSize(bytes);
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

function readSize(bytes: Base64Bytes): ImageSize | undefined {
  if (bytes.u16be(0) === 0xffd8) return readJpegSize(bytes);
  if (bytes.u32be(0) === 0x89504e47) return readPngSize(bytes);
  if (bytes.ascii(0, 'GIF8')) return { width: bytes.u16le(6), height: bytes.u16le(8) };
  if (bytes.ascii(0, 'RIFF') && bytes.ascii(8, 'WEBP')) return readWebpSize(bytes);
  return undefined;
}

/** IHDR is the first chunk, save for Apple's variant, which puts CgBI before it. */
function readPngSize(bytes: Base64Bytes): ImageSize | undefined {
  let chunk = 8;
  if (bytes.ascii(chunk + 4, 'CgBI')) chunk += 12 + bytes.u32be(chunk);
  if (!bytes.ascii(chunk + 4, 'IHDR')) return undefined;
  return { width: bytes.u32be(chunk + 8), height: bytes.u32be(chunk + 12) };
}
