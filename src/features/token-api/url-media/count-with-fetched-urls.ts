import type { CountOutcome, NeedsUrls } from '../count-body.ts';
import type { PoolBody } from '../workers/count-pool.ts';
import type { FetchMedia } from './fetch-media.ts';
import type { FetchError } from './fetch-problem.ts';
import type { RequestedUrl } from './requested-url.ts';

interface CountFetchingOptions {
  /** Counts a body, or returns its URLs that were not fetched. */
  count: (body: PoolBody) => Promise<CountOutcome | NeedsUrls>;
  fetchMedia: FetchMedia;
  clientClosed: AbortSignal;
}

/**
 * Counts a body. If it has URLs, they are fetched between two counts in this thread, asynchronously. So an untrusted
 * server cannot block a counting thread.
 * @param urls the URLs in the body, if known
 */
export async function countWithFetchedUrls(
  body: PoolBody,
  urls: readonly RequestedUrl[] | undefined,
  options: CountFetchingOptions,
): Promise<CountOutcome | FetchError> {
  if (!urls) {
    const firstPass = await options.count(body);
    if (!('needs' in firstPass)) return firstPass;
    ({ urls } = firstPass);
  }
  const media = await options.fetchMedia(urls, body.owner, options.clientClosed);
  if (!media.ok) return media;
  try {
    const { fetched } = media;
    const bytes = fetched.reduce((sum, file) => sum + file.bytes.length, body.bytes);
    const countAfterFetch = await options.count({ ...body, bytes, fetched });
    if ('needs' in countAfterFetch) throw new Error('A fetched URL was requested again.');
    return countAfterFetch;
  } finally {
    media.release();
  }
}
