import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { ProviderError } from '../../domain/market-data-provider.ts';
import { selectSkipError, selectMoreInformative } from './error-precedence.ts';

const unknown: ProviderError = { ok: false, reason: 'unknown' };
const rateLimited = (retryAfter: number): ProviderError => ({ ok: false, reason: 'rate_limited', retryAfter });
const notEntitled = (retryAfter: number): ProviderError => ({ ok: false, reason: 'not_entitled', retryAfter });
const upstream: ProviderError = { ok: false, reason: 'upstream', detail: 'status 500' };

test('selects the error with the highest precedence in any order of failures', () => {
  const precedence: ProviderError[] = [
    { ok: false, reason: 'unsupported' },
    upstream,
    rateLimited(30),
    { ok: false, reason: 'quota_exhausted' },
    unknown,
    notEntitled(60),
  ];
  for (const [at, first] of precedence.entries()) {
    for (const second of precedence.slice(at + 1)) {
      assert.equal(selectMoreInformative(first, second), first);
      assert.equal(selectMoreInformative(second, first), first);
    }
  }
});

test('selects the earlier error when two are of one kind', () => {
  const first = rateLimited(30);
  assert.equal(selectMoreInformative(first, rateLimited(5)), first);
  assert.equal(selectMoreInformative(undefined, unknown), unknown);
});

test('selects rate limits first, then an open breaker, then the shortest plan wait', () => {
  assert.deepEqual(selectSkipError([notEntitled(60), upstream, rateLimited(30), rateLimited(5)]), rateLimited(5));
  assert.deepEqual(selectSkipError([notEntitled(60), upstream]), upstream);
  assert.deepEqual(selectSkipError([notEntitled(60), notEntitled(10)]), notEntitled(10));
  assert.equal(selectSkipError([]), undefined);
});
