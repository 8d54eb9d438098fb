import {
  Cancelled,
  countBody,
  countBodyWithMedia,
  type Counted,
  type CountOutcome,
  type ReadMedia,
  type UrlsWanted,
} from '../count-body.ts';
import { boundsOf, type Doubt } from '../counter/index.ts';
import type { CountingMetrics } from '../counting-metrics.ts';
import type { KeyCache } from '../key-cache.ts';
import type { KeyUse } from '../note-key-use.ts';
import type { KeyHolder } from '../queries.ts';
import { addRateLimitHeaders, type Decision, type RateLimits, retryAfter } from '../rate-limits/rate-limit.ts';
import { countFetching } from '../url-media/count-fetching.ts';
import type { FetchMedia } from '../url-media/fetch-media.ts';
import type { FetchRefusal } from '../url-media/fetch-problem.ts';
import { type CountPool, CountTimeout, type PoolBody, PoolBusy } from '../workers/count-pool.ts';
import { authenticate, type Authentication } from './authenticate.ts';
import type { BodyBudget } from './body-budget.ts';
import { findContentProblem, readVersion } from './check-headers.ts';
import type { Exchange } from './exchange.ts';
import { largestBody, readBody } from './read-body.ts';

export interface CountDependencies {
  keys: KeyCache;
  keyUse: KeyUse;
  rateLimits: RateLimits;
  /** Counts large bodies; without one everything is counted in this thread. */
  pool: CountPool | undefined;
  budget: BodyBudget;
  /** For bodies that are counted in this thread. */
  readMedia: ReadMedia;
  /** Fetches what requests name by URL. */
  fetchMedia: FetchMedia;
  metrics: CountingMetrics;
}

const OVERLOADED = 'The server is busy with other requests; try again in a moment.';

/**
 * `POST /v1/messages/count_tokens`, in the order in which it refuses: key, rate limit, version, content type, size,
 * JSON, validation, model. Promises appear only where something really has to be waited for; a small request is
 * answered in the tick of its last byte.
 */
export function answerCount(exchange: Exchange, deps: CountDependencies): void {
  whenKnown(exchange, authenticate(exchange.request, deps.keys), (authentication) => {
    const holder = admit(exchange, authentication);
    if (!holder) return;
    deps.keyUse.note(holder.id);
    whenKnown(exchange, deps.rateLimits.take(holder.organisation_id, holder.usage_tier), (decision) => {
      if (mayPass(exchange, decision, deps.metrics)) readAndCount(exchange, holder.organisation_id, deps);
    });
  });
}

/** Refuses a request without a good key with 401; else names its organisation in the answer. */
export function admit(exchange: Exchange, authentication: Authentication): KeyHolder | undefined {
  if (!authentication.ok) {
    exchange.fail(401, authentication.message, 'www-authenticate', 'Bearer');
    return undefined;
  }
  exchange.headers.push('anthropic-organization-id', authentication.holder.organisation_id);
  return authentication.holder;
}

/** Goes on at once with a value, later with a promise's. Only the key look-up rejects: then no client can be
 * authenticated, 529. */
export function whenKnown<T>(exchange: Exchange, value: T | Promise<T>, next: (value: T) => void): void {
  if (!(value instanceof Promise)) return next(value);
  value.then(
    (known) => {
      try {
        next(known);
      } catch (error) {
        exchange.fault(error);
      }
    },
    (error: unknown) => {
      exchange.warn(error, 'keys cannot be looked up');
      exchange.fail(529, 'API keys cannot be checked right now; try again in a moment.', 'retry-after', '1');
    },
  );
}

function mayPass(exchange: Exchange, decision: Decision | undefined, metrics: CountingMetrics): boolean {
  if (!decision) return true;
  addRateLimitHeaders(exchange.headers, decision);
  if (decision.allowed) return true;
  metrics.rateLimited.inc();
  const message =
    `This request would exceed your organization's rate limit of ${decision.limit} requests per minute ` +
    'for token counting.';
  exchange.fail(429, message, 'retry-after', retryAfter(decision));
  return false;
}

function readAndCount(exchange: Exchange, owner: string, deps: CountDependencies): void {
  const { headers } = exchange.request;
  const version = readVersion(headers);
  if (typeof version !== 'string') return exchange.fail(version.status, version.message);
  const unreadable = findContentProblem(headers);
  if (unreadable) return exchange.fail(unreadable.status, unreadable.message, ...(unreadable.headers ?? []));
  const account = deps.budget.open(owner);
  const most = largestBody(deps.budget.most);
  readBody(
    exchange.request,
    { account, most },
    {
      small: (bytes) => countSmall(exchange, bytes, { version, owner }, deps),
      large: (segments, bytes) =>
        void countElsewhere(exchange, { segments, bytes, version, owner }, deps).finally(account.close),
      tooLarge() {
        const megabytes = Math.round(most / 1024 / 1024);
        exchange.fail(413, `Request exceeds the maximum allowed number of bytes: ${most} (${megabytes} MB).`);
      },
      noRoom: () => exchange.fail(529, OVERLOADED, 'retry-after', '1'),
      aborted: () => exchange.abandon(),
    },
    () => deps.pool?.warm(),
  );
}

type Sent = Pick<PoolBody, 'version' | 'owner'>;

function countSmall(exchange: Exchange, bytes: Buffer, sent: Sent, deps: CountDependencies): void {
  try {
    const outcome = countBody(bytes, sent.version);
    if (outcome !== 'media must be read' && !('urls' in outcome)) return answer(exchange, outcome);
    const urls = outcome === 'media must be read' ? undefined : outcome.urls;
    // A copy, since a socket's chunk shares its memory with others.
    const segments = [new Uint8Array(bytes)];
    void countElsewhere(exchange, { ...sent, segments, bytes: bytes.length }, deps, urls);
  } catch (error) {
    answerFailure(exchange, error);
  }
}

/** In the pool, or, without one, here. `urls`: what has to be fetched, if that is known already. Resolves once the
 * exchange is answered. */
async function countElsewhere(
  exchange: Exchange,
  body: PoolBody,
  { pool, readMedia, fetchMedia }: CountDependencies,
  urls?: UrlsWanted['urls'],
): Promise<void> {
  const gone = new AbortController();
  exchange.response.once('close', () => gone.abort());
  try {
    const isGone = (): boolean => gone.signal.aborted;
    const here = ({ segments, version, fetched }: PoolBody) =>
      countBodyWithMedia(Buffer.concat(segments), version, { readMedia, cancelled: isGone, fetched });
    const count = (task: PoolBody) => (pool ? pool.count(task, gone.signal) : here(task));
    answer(exchange, await countFetching(body, urls, { count, fetchMedia, gone: gone.signal }));
  } catch (error) {
    answerFailure(exchange, error);
  }
}

function answer(exchange: Exchange, outcome: CountOutcome | FetchRefusal): void {
  if (outcome.status === 200) answerCounted(exchange, outcome);
  else if ('retryAfter' in outcome)
    exchange.fail(outcome.status, outcome.message, 'retry-after', String(outcome.retryAfter));
  else exchange.fail(outcome.status, outcome.message);
}

/** Answers with a count; what the service does not say stands in a header of ours. */
function answerCounted(exchange: Exchange, { inputTokens, originalTokens, doubt }: Counted): void {
  if (doubt) exchange.headers.push('x-tally-uncertainty', inWords(inputTokens, doubt));
  const edited = originalTokens !== undefined && isBeta(exchange.request);
  const management = edited ? `"context_management":{"original_input_tokens":${originalTokens}},` : '';
  exchange.send(200, `{${management}"input_tokens":${inputTokens}}`);
}

/** The likely bounds of a count, and the kinds of its parts that are estimates. */
function inWords(inputTokens: number, doubt: Doubt): string {
  const { low, high } = boundsOf(inputTokens, doubt);
  return `low=${low}, high=${high}${doubt.kinds.length > 0 ? `, parts="${doubt.kinds.join(' ')}"` : ''}`;
}

/** The beta interface: asked for in the address, as the official client does, or by the feature's name. */
function isBeta({ url = '', headers }: Exchange['request']): boolean {
  return /[?&]beta=true(?:&|$)/.test(url) || String(headers['anthropic-beta']).includes('context-management');
}

function answerFailure(exchange: Exchange, error: unknown): void {
  if (error instanceof Cancelled) exchange.abandon();
  else if (error instanceof PoolBusy) exchange.fail(529, OVERLOADED, 'retry-after', '1');
  else if (error instanceof CountTimeout)
    exchange.fail(504, 'Counting this request took too long. Send a smaller one.');
  else exchange.fault(error);
}
