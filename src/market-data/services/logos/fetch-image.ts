import { readWithLimit } from '../../../platform/http/read-with-limit.ts';

/** An image that is safe to serve. Its type is detected from its bytes. */
export interface Image {
  bytes: Buffer;
  mediaType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';
}

const MAX_IMAGE_BYTES = 100 * 1_024;

/**
 * Fetches a small raster image from one of these origins. It follows no redirect and detects the type from the bytes,
 * because an SVG could run scripts. Returns undefined for anything else and never throws.
 */
export async function fetchImage(
  address: string,
  origins: ReadonlySet<string>,
  timeoutMs: number,
): Promise<Image | undefined> {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (!origins.has(url.origin) || url.username !== '' || url.password !== '') return undefined;
  try {
    const response = await fetch(url, {
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: 'image/*', 'user-agent': 'tally' },
    });
    if (!response.ok) {
      await response.body?.cancel();
      return undefined;
    }
    const bytes = await readWithLimit(response, MAX_IMAGE_BYTES);
    const mediaType = detectMediaType(bytes);
    return mediaType && { bytes, mediaType };
  } catch {
    return undefined;
  }
}

/** Detects the type by the first bytes. Returns undefined unless they start a raster image of the web. */
function detectMediaType(bytes: Buffer): Image['mediaType'] | undefined {
  const startsWithBytes = (hex: string, offset = 0): boolean =>
    bytes.subarray(offset, offset + hex.length / 2).equals(Buffer.from(hex, 'hex'));
  if (startsWithBytes('89504e470d0a1a0a')) return 'image/png';
  if (startsWithBytes('ffd8ff')) return 'image/jpeg';
  if (startsWithBytes('474946383761') || startsWithBytes('474946383961')) return 'image/gif';
  if (startsWithBytes('52494646') && startsWithBytes('57454250', 8)) return 'image/webp';
  return undefined;
}
