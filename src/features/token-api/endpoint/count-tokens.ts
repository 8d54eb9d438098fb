import { QueueFullError } from '../../../platform/fairness/fair-queue.ts';
import type { FairSlots } from '../../../platform/fairness/fair-slots.ts';
import {
  Cancelled,
  countBody,
  type CountOutcome,
  type NeedsPdfs,
  type NeedsUrls,
  toPdfOutcome,
} from '../count-body.ts';
import { computeBounds, type ErrorEstimate } from '../../../../packages/token-counter/src/index.ts';
import type { CountingMetrics } from '../counting-metrics.ts';
import type { KeyCache } from '../key-cache.ts';
import type { KeyUsageRecorder } from '../record-key-usage.ts';
import { addRateLimitHeaders, type Decision, type RateLimits, formatRetryAfter } from '../rate-limits/rate-limit.ts';
import { countWithFetchedUrls } from '../url-media/count-with-fetched-urls.ts';
import type { FetchMedia } from '../url-media/fetch-media.ts';
import type { FetchError } from '../url-media/fetch-problem.ts';
import { type PdfReader, PdfTimeExceededError } from '../pdf/pdf-reader.ts';
import { readPdfs } from '../pdf/read-pdfs.ts';
import type { CountPool, PoolBody } from '../workers/count-pool.ts';
import type { CountTaskOutcome } from '../workers/count-worker.ts';
import { CountTimeoutError } from '../workers/worker-slot.ts';
import { type ApiResult, type ApiCall, CLIENT_CLOSED, type ApiErrorResult, apiError } from './api-result.ts';
import { authenticate } from './authenticate.ts';
import type { BodyMemoryBudget } from './body-memory-budget.ts';
import { findContentTypeError, readBetas, readVersion } from './check-headers.ts';
import { isQuickCount } from './quick-count.ts';
import { type Body, getMaxBodyBytes, OVERLOADED, readBody } from './read-body.ts';

export interface CountDependencies {
  keys: KeyCache;
  keyUsage: KeyUsageRecorder;
  rateLimits: RateLimits;
  /** Counts bodies that are large or costly. If undefined, every body is counted in this thread. */
  pool: CountPool | undefined;
  /** Turns of the organizations in this thread. */
  turns: FairSlots;
  budget: BodyMemoryBudget;
  pdfReader: PdfReader;
  /** Fetches the URLs of requests. */
  fetchMedia: FetchMedia;
  metrics: CountingMetrics;
}

/**
 * Handles `POST /v1/messages/count_tokens`. The order of checks is: key, rate limit, version, content type, size, JSON,
 * validation, model.
 */
export async function countTokens(call: ApiCall, deps: CountDependencies): Promise<ApiResult> {
  const { headers } = call.request;
  const authenticated = await authenticate(call, deps.keys);
  if (!authenticated.ok) return authenticated;
  const { holder } = authenticated;
  deps.keyUsage.record(holder.id);
  const decision = await deps.rateLimits.consume(holder.organisation_id, holder.usage_tier);
  if (decision) addRateLimitHeaders(call.headers, decision);
  const owner = holder.organisation_id;
  if (decision?.allowed === false) {
    // Rejections take turns too, because a client that repeats them at once would delay others like counts.
    await deps.turns({ owner }, async () => {}).catch(() => {});
    return rateLimitError(decision, deps.metrics);
  }
  const apiVersion = readVersion(headers);
  if (!apiVersion.ok) return apiVersion;
  const contentTypeError = findContentTypeError(headers);
  if (contentTypeError) return contentTypeError;

  const reservation = deps.budget.createReservation(owner);
  const maxBytes = getMaxBodyBytes(deps.budget.maxBytesPerOrganisation);
  try {
    const body = await readBody(call.request, { reservation, maxBytes, onLarge: () => deps.pool?.warm() });
    if (!body.ok) return body;
    const { version } = apiVersion;
    const betas = readBetas(headers);
    if (body.size === 'large' || !isQuickCount(body.bytes)) {
      // A large body has reserved its segments.
      if (body.size === 'small' && !reservation.tryReserve(body.length)) return OVERLOADED;
      return toApiResult(await countWithFiles(call, body, { version, betas, owner, needs: undefined }, deps), call);
    }
    // Count a quick body synchronously in this thread, unless files must be read or fetched first.
    const outcome = await deps.turns({ owner, bytes: body.length }, async () => {
      if (call.response.destroyed) throw new Cancelled();
      return countBody(body.bytes, version, { betas });
    });
    if (!('needs' in outcome)) return toApiResult(outcome, call);
    return toApiResult(await countWithFiles(call, body, { version, betas, owner, needs: outcome }, deps), call);
  } catch (error) {
    return toApiError(error, deps.metrics);
  } finally {
    reservation.release();
  }
}

function rateLimitError(decision: Decision, metrics: CountingMetrics): ApiErrorResult {
  metrics.rateLimited.inc();
  const message =
    `This request would exceed your organization's rate limit of ${decision.limit} requests per minute ` +
    'for token counting.';
  return apiError(429, message, 'retry-after', formatRetryAfter(decision));
}

/**
 * Counts a body and its files in the pool, or in this thread without a pool. `needs` are the files that the count needs
 * first, if known. Rejects with `QueueFullError`, `CountTimeoutError`, `PdfTimeExceededError` or `Cancelled`.
 */
function countWithFiles(
  { response }: ApiCall,
  body: Body,
  {
    needs,
    ...bodyOptions
  }: Pick<PoolBody, 'version' | 'betas' | 'owner'> & { needs: NeedsPdfs | NeedsUrls | undefined },
  { pool, pdfReader, fetchMedia }: CountDependencies,
): Promise<CountOutcome | FetchError> {
  // Copy a small body, because the chunk of a socket shares its memory with others.
  const segments = body.size === 'small' ? [new Uint8Array(body.bytes)] : body.segments;
  const abortController = new AbortController();
  const { signal } = abortController;
  response.once('close', () => abortController.abort());
  const count = async (poolBody: PoolBody): Promise<CountTaskOutcome> =>
    pool
      ? pool.count(poolBody, signal)
      : countBody(Buffer.concat(poolBody.segments), poolBody.version, {
          ...poolBody,
          isCancelled: () => signal.aborted,
        });
  /** Counts a body whose URLs are fetched. Its PDFs are read between two counts, so that no counting thread waits. */
  const countReadingPdfs = async (poolBody: PoolBody, known?: NeedsPdfs): Promise<CountOutcome | NeedsUrls> => {
    const first = known ?? (await count(poolBody));
    if (!('needs' in first) || first.needs === 'urls') return first;
    const read = await readPdfs(first.documents, first.maxMedia, (bytes) =>
      pdfReader.read(poolBody.owner, bytes, signal),
    );
    if (!read.ok) return toPdfOutcome(read.problem, first);
    const pdfs = new Map(first.documents.map(({ path, source }) => [path, read.pdfs.get(source)!]));
    const outcome = await count({ ...poolBody, pdfs });
    if ('needs' in outcome) throw new Error('A file that was read is requested again.');
    return outcome;
  };
  const poolBody = { ...bodyOptions, segments, bytes: body.length };
  return countWithFetchedUrls(poolBody, needs?.needs === 'urls' ? needs.urls : undefined, {
    count: (next) => countReadingPdfs(next, needs?.needs === 'pdfs' ? needs : undefined),
    fetchMedia,
    clientClosed: signal,
  });
}

/**
 * Returns the response for a count or an error. Facts that the real API does not return are in an additional header.
 */
function toApiResult(outcome: CountOutcome | FetchError, { request, headers }: ApiCall): ApiResult {
  if (outcome.status !== 200) {
    const retryHeaders = 'retryAfter' in outcome ? ['retry-after', String(outcome.retryAfter)] : [];
    return apiError(outcome.status, outcome.message, ...retryHeaders);
  }
  const { inputTokens, originalTokens, errorEstimate } = outcome;
  if (errorEstimate) headers.push('x-tally-uncertainty', formatUncertainty(inputTokens, errorEstimate));
  const isEdited = originalTokens !== undefined && isBeta(request);
  const editsJson = isEdited ? `"context_management":{"original_input_tokens":${originalTokens}},` : '';
  return { ok: true, json: `{${editsJson}"input_tokens":${inputTokens}}` };
}

/** Returns the header value with the likely bounds of a count and the estimated kinds of its parts. */
function formatUncertainty(inputTokens: number, errorEstimate: ErrorEstimate): string {
  const { low, high } = computeBounds(inputTokens, errorEstimate);
  return `low=${low}, high=${high}${errorEstimate.kinds.length > 0 ? `, parts="${errorEstimate.kinds.join(' ')}"` : ''}`;
}

/**
 * Returns whether the request uses the beta API, by the query parameter of the official client or by the beta header.
 */
function isBeta({ url = '', headers }: ApiCall['request']): boolean {
  return /[?&]beta=true(?:&|$)/.test(url) || String(headers['anthropic-beta']).includes('context-management');
}

/** Returns the API error for a failed count. Rethrows all other errors. */
function toApiError(error: unknown, metrics: CountingMetrics): ApiErrorResult {
  if (error instanceof Cancelled) return CLIENT_CLOSED;
  if (error instanceof QueueFullError) return OVERLOADED;
  if (error instanceof PdfTimeExceededError) {
    metrics.rateLimited.inc();
    return apiError(429, error.message, 'retry-after', String(Math.max(1, Math.ceil(error.retryAfterSeconds))));
  }
  if (error instanceof CountTimeoutError)
    return apiError(504, 'Counting this request took too long. Send a smaller one.');
  throw error;
}
