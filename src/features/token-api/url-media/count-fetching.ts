import type { CountOutcome, UrlsWanted } from '../count-body.ts';
import type { PoolBody } from '../workers/count-pool.ts';
import type { FetchMedia } from './fetch-media.ts';
import type { FetchRefusal } from './fetch-problem.ts';
import type { WantedUrl } from './wanted-url.ts';

interface CountFetchingSteps {
  /** One pass over a body, or the URLs that it names and that were not fetched. */
  count: (body: PoolBody) => Promise<CountOutcome | UrlsWanted>;
  fetchMedia: FetchMedia;
  gone: AbortSignal;
}

/**
 * Counts a body. Where it names URLs they are fetched between two passes, in this thread and without waiting in it: no
 * counting thread is held up by an untrusted server.
 * @param urls what it names, where that is known already
 */
export async function countFetching(
  body: PoolBody,
  urls: readonly WantedUrl[] | undefined,
  steps: CountFetchingSteps,
): Promise<CountOutcome | FetchRefusal> {
  if (!urls) {
    const first = await steps.count(body);
    if (!('needs' in first)) return first;
    ({ urls } = first);
  }
  const media = await steps.fetchMedia(urls, body.owner, steps.gone);
  if (!media.ok) return media;
  try {
    const { fetched } = media;
    const bytes = fetched.reduce((sum, file) => sum + file.bytes.length, body.bytes);
    const second = await steps.count({ ...body, bytes, fetched });
    if ('needs' in second) throw new Error('A fetched URL was requested again.');
    return second;
  } finally {
    media.release();
  }
}
