import { readCapped } from '../../../platform/http/read-capped.ts';

/** A picture that is safe to serve: its type is read from its own bytes. */
export interface Image {
  bytes: Buffer;
  mediaType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';
}

const MOST_BYTES = 100 * 1_024;

/**
 * Fetches a small raster image from one of these origins, and from nowhere else: no redirect is followed and no type
 * but those of its bytes is believed (an SVG could run scripts). Anything else is `undefined`; never throws.
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
    const bytes = await readCapped(response, MOST_BYTES);
    const mediaType = mediaTypeOf(bytes);
    return mediaType && { bytes, mediaType };
  } catch {
    return undefined;
  }
}

/** By the first bytes; `undefined` for everything that is no raster image of the web. */
function mediaTypeOf(bytes: Buffer): Image['mediaType'] | undefined {
  const starts = (hex: string, at = 0): boolean =>
    bytes.subarray(at, at + hex.length / 2).equals(Buffer.from(hex, 'hex'));
  if (starts('89504e470d0a1a0a')) return 'image/png';
  if (starts('ffd8ff')) return 'image/jpeg';
  if (starts('474946383761') || starts('474946383961')) return 'image/gif';
  if (starts('52494646') && starts('57454250', 8)) return 'image/webp';
  return undefined;
}
