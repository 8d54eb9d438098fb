import type { DocumentSource, ImageSource, MediaReference } from '../../../../packages/token-counter/src/index.ts';
import { readImageType } from '../validation/image-format.ts';

/** An image or a document (PDF) with a URL source. */
export interface RequestedUrl {
  /** Path of the block, such as `messages.0.content.1`. */
  path: string;
  kind: 'image' | 'document';
  /** The URL text of the client. */
  url: string;
}

/** A fetched file. */
export interface FetchedUrl {
  kind: RequestedUrl['kind'];
  /** All texts of its URL in the request. */
  urls: readonly string[];
  bytes: Uint8Array<ArrayBuffer>;
}

/** Returns the images and documents of `media` that must be fetched. */
export function findUrls(media: readonly MediaReference[]): RequestedUrl[] {
  return media.flatMap(({ path, block }) =>
    block.source.type === 'url' ? [{ path, kind: block.type, url: block.source.url }] : [],
  );
}

/**
 * Replaces each URL source by the fetched bytes as base64. Limits and counts then treat both kinds alike. Blocks of one
 * file share one source.
 * @returns the paths of the changed blocks
 */
export function inlineFetched(media: readonly MediaReference[], fetched: readonly FetchedUrl[]): string[] {
  const sources = new Map<string, ImageSource & DocumentSource>();
  for (const { kind, urls, bytes } of fetched) {
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const mediaType = kind === 'image' ? (readImageType(file) ?? 'image/png') : 'application/pdf';
    const source = { type: 'base64' as const, data: file.toString('base64'), media_type: mediaType };
    for (const url of urls) sources.set(`${kind} ${url}`, source);
  }
  const inlinedPaths: string[] = [];
  for (const { path, block } of media) {
    const source = block.source.type === 'url' ? sources.get(`${block.type} ${block.source.url}`) : undefined;
    if (!source) continue;
    block.source = source;
    inlinedPaths.push(path);
  }
  return inlinedPaths;
}
