import type { DocumentSource, ImageSource, MediaReference } from '../../../../packages/token-counter/src/index.ts';

/** An image or a document (a PDF) that a request names by its URL. */
export interface RequestedUrl {
  /** Place of the block: `messages.0.content.1`. */
  path: string;
  kind: 'image' | 'document';
  /** As the client wrote it. */
  url: string;
}

/** A file that was fetched. */
export interface FetchedUrl {
  kind: RequestedUrl['kind'];
  /** Every spelling of its URL in the request. */
  urls: readonly string[];
  bytes: Uint8Array<ArrayBuffer>;
}

/** The images and documents among `media` that have to be fetched. */
export function findUrls(media: readonly MediaReference[]): RequestedUrl[] {
  return media.flatMap(({ path, block }) =>
    block.source.type === 'url' ? [{ path, kind: block.type, url: block.source.url }] : [],
  );
}

/**
 * Puts what was fetched in the place of its URL, as if the client had sent it along: from here on the same limits and
 * the same count hold for both by construction. Blocks of one file share one source.
 * @returns the paths of the blocks that were filled in
 */
export function inlineFetched(media: readonly MediaReference[], fetched: readonly FetchedUrl[]): string[] {
  const sources = new Map<string, ImageSource & DocumentSource>();
  for (const { kind, urls, bytes } of fetched) {
    const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
    // The bytes decide what an image is, so the declared type is of no account.
    const source = { type: 'base64' as const, data, media_type: kind === 'image' ? 'image/png' : 'application/pdf' };
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
