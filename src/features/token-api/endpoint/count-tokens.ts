import {
  Cancelled,
  countBody,
  countBodyWithMedia,
  type CountOutcome,
  type ReadMedia,
  type UrlsWanted,
} from '../count-body.ts';
import { boundsOf, type Doubt } from '../../../../packages/token-counter/src/index.ts';
import type { CountingMetrics } from '../counting-metrics.ts';
import type { KeyCache } from '../key-cache.ts';
import type { KeyUse } from '../note-key-use.ts';
import { addRateLimitHeaders, type Decision, type RateLimits, retryAfter } from '../rate-limits/rate-limit.ts';
import { countFetching } from '../url-media/count-fetching.ts';
import type { FetchMedia } from '../url-media/fetch-media.ts';
import type { FetchRefusal } from '../url-media/fetch-problem.ts';
import type { ApiVersion } from '../validation/conversation-rules.ts';
import { type CountPool, type PoolBody, PoolBusy } from '../workers/count-pool.ts';
import { CountTimeout } from '../workers/worker-slot.ts';
import { type Answer, type Call, CLIENT_LEFT, type Refusal, refuse } from './answer.ts';
import { authenticate } from './authenticate.ts';
import type { BodyBudget } from './body-budget.ts';
import { findContentProblem, readVersion } from './check-headers.ts';
import { type Body, largestBody, OVERLOADED, readBody } from './read-body.ts';

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

/**
 * `POST /v1/messages/count_tokens`, in the order in which it refuses: key, rate limit, version, content type, size,
 * JSON, validation, model.
 */
export async function countTokens(call: Call, deps: CountDependencies): Promise<Answer> {
  const { headers } = call.request;
  const authenticated = await authenticate(call, deps.keys);
  if (!authenticated.ok) return authenticated;
  const { holder } = authenticated;
  deps.keyUse.note(holder.id);
  const decision = await deps.rateLimits.take(holder.organisation_id, holder.usage_tier);
  if (decision) addRateLimitHeaders(call.headers, decision);
  if (decision?.allowed === false) return refuseOverLimit(decision, deps.metrics);
  const apiVersion = readVersion(headers);
  if (!apiVersion.ok) return apiVersion;
  const contentProblem = findContentProblem(headers);
  if (contentProblem) return contentProblem;

  const owner = holder.organisation_id;
  const account = deps.budget.open(owner);
  const maxBytes = largestBody(deps.budget.most);
  try {
    const body = await readBody(call.request, { account, maxBytes, onLarge: () => deps.pool?.warm() });
    if (!body.ok) return body;
    const { version } = apiVersion;
    if (body.size === 'large')
      return answerOf(await countWithMedia(call, body, { version, owner, urls: undefined }, deps), call);
    // A small body is counted at once in this thread, unless it needs files to be read or fetched first.
    const outcome = countBody(body.bytes, version);
    if (!('needs' in outcome)) return answerOf(outcome, call);
    const urls = outcome.needs === 'urls' ? outcome.urls : undefined;
    return answerOf(await countWithMedia(call, body, { version, owner, urls }, deps), call);
  } catch (error) {
    return refusalOf(error);
  } finally {
    account.close();
  }
}

function refuseOverLimit(decision: Decision, metrics: CountingMetrics): Refusal {
  metrics.rateLimited.inc();
  const message =
    `This request would exceed your organization's rate limit of ${decision.limit} requests per minute ` +
    'for token counting.';
  return refuse(429, message, 'retry-after', retryAfter(decision));
}

/**
 * Counts a body and the files in it in the pool, or in this thread without one. `urls`: what it names by URL, where that is known already.
 * Rejects with `PoolBusy`, `CountTimeout` or `Cancelled`.
 */
function countWithMedia(
  { response }: Call,
  body: Body,
  { urls, ...sent }: { version: ApiVersion; owner: string; urls: UrlsWanted['urls'] | undefined },
  { pool, readMedia, fetchMedia }: CountDependencies,
): Promise<CountOutcome | FetchRefusal> {
  // A copy of a small one, since a socket's chunk shares its memory with others.
  const segments = body.size === 'small' ? [new Uint8Array(body.bytes)] : body.segments;
  const left = new AbortController();
  response.once('close', () => left.abort());
  const countHere = ({ segments, version, fetched }: PoolBody) =>
    countBodyWithMedia(Buffer.concat(segments), version, {
      readMedia,
      cancelled: () => left.signal.aborted,
      fetched,
    });
  return countFetching({ ...sent, segments, bytes: body.length }, urls, {
    count: (pass) => (pool ? pool.count(pass, left.signal) : countHere(pass)),
    fetchMedia,
    gone: left.signal,
  });
}

/** The answer with a count, or the refusal. What the real service does not say of a count stands in a header of ours. */
function answerOf(outcome: CountOutcome | FetchRefusal, { request, headers }: Call): Answer {
  if (outcome.status !== 200) {
    const wait = 'retryAfter' in outcome ? ['retry-after', String(outcome.retryAfter)] : [];
    return refuse(outcome.status, outcome.message, ...wait);
  }
  const { inputTokens, originalTokens, doubt } = outcome;
  if (doubt) headers.push('x-tally-uncertainty', describeDoubt(inputTokens, doubt));
  const isEdited = originalTokens !== undefined && isBeta(request);
  const management = isEdited ? `"context_management":{"original_input_tokens":${originalTokens}},` : '';
  return { ok: true, json: `{${management}"input_tokens":${inputTokens}}` };
}

/** The likely bounds of a count, and the kinds of its parts that are estimates. */
function describeDoubt(inputTokens: number, doubt: Doubt): string {
  const { low, high } = boundsOf(inputTokens, doubt);
  return `low=${low}, high=${high}${doubt.kinds.length > 0 ? `, parts="${doubt.kinds.join(' ')}"` : ''}`;
}

/** The beta interface: asked for in the address, as the official client does, or by the feature's name. */
function isBeta({ url = '', headers }: Call['request']): boolean {
  return /[?&]beta=true(?:&|$)/.test(url) || String(headers['anthropic-beta']).includes('context-management');
}

/** The refusal for a count that did not come to its end. Throws every other error on. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof Cancelled) return CLIENT_LEFT;
  if (error instanceof PoolBusy) return OVERLOADED;
  if (error instanceof CountTimeout) return refuse(504, 'Counting this request took too long. Send a smaller one.');
  throw error;
}
