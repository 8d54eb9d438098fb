import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { Refusal } from '../../domain/market-data-provider.ts';
import { firstSkipError, moreInformative } from './error-precedence.ts';

const unknown: Refusal = { ok: false, reason: 'unknown' };
const limited = (retryAfter: number): Refusal => ({ ok: false, reason: 'rate_limited', retryAfter });
const denied = (retryAfter: number): Refusal => ({ ok: false, reason: 'not_entitled', retryAfter });
const upstream: Refusal = { ok: false, reason: 'upstream', detail: 'status 500' };

test('reports the error that comes first in the precedence, in whichever order providers failed', () => {
  const inOrder: Refusal[] = [
    { ok: false, reason: 'unsupported' },
    upstream,
    limited(30),
    { ok: false, reason: 'budget' },
    unknown,
    denied(60),
  ];
  for (const [at, first] of inOrder.entries()) {
    for (const second of inOrder.slice(at + 1)) {
      assert.equal(moreInformative(first, second), first);
      assert.equal(moreInformative(second, first), first);
    }
  }
});

test('reports the earlier error when two are of one kind, and the only one when there is one', () => {
  const first = limited(30);
  assert.equal(moreInformative(first, limited(5)), first);
  assert.equal(moreInformative(undefined, unknown), unknown);
});

test('reports the limited rate of skipped providers first, then the open breaker, then the shortest wait of a plan', () => {
  assert.deepEqual(firstSkipError([denied(60), upstream, limited(30), limited(5)]), limited(5));
  assert.deepEqual(firstSkipError([denied(60), upstream]), upstream);
  assert.deepEqual(firstSkipError([denied(60), denied(10)]), denied(10));
  assert.equal(firstSkipError([]), undefined);
});
