import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createProviderChain, type ProviderEntry } from './provider-chain.ts';
import { CANCELLED_DETAIL, TIMED_OUT_DETAIL, toUpstreamError } from '../http/provider-http-client.ts';
import type { ProviderResult, Capability, Listing, MarketDataProvider } from '../../domain/market-data-provider.ts';
import { createSimulator } from '../../../embedded/market-data/simulator.ts';

const listing: Listing = { symbol: 'X', name: null, exchange: null, assetType: 'stock', currency: null, logo: null };

/** Creates a simulator with another `lookup`: it returns the results in order and repeats the last one. */
function source(
  id: string,
  answers: readonly ProviderResult<Listing>[],
): ProviderEntry & { calls: number; exhausted: number } {
  const provider: MarketDataProvider = {
    ...createSimulator({ now: () => new Date() }),
    id,
    lookup: async () => answers[Math.min(entry.calls++, answers.length - 1)]!,
  };
  const entry = {
    provider,
    calls: 0,
    exhausted: 0,
    markMinuteExhausted: async () => {
      entry.exhausted += 1;
    },
  };
  return entry;
}

function setUp(...sources: ProviderEntry[]) {
  const clock = { time: 0 };
  const providers = createProviderChain(sources, { warn: () => {} }, () => clock.time);
  const lookup = () => providers.call('lookup', (provider) => provider.lookup('X', AbortSignal.timeout(60_000)));
  return { providers, clock, lookup };
}

const ok: ProviderResult<Listing> = { ok: true, value: listing };

test('calls the next provider when the first fails', async () => {
  for (const reason of ['unknown', 'not_entitled', 'quota_exhausted'] as const) {
    const { lookup } = setUp(source('a', [{ ok: false, reason }]), source('b', [ok]));
    assert.deepEqual(await lookup(), { ...ok, from: 'b' }, reason);
  }
});

test('skips only the uncovered capability for an hour when the plan lacks it', async () => {
  const first = source('a', [{ ok: false, reason: 'not_entitled' }, ok]);
  const { lookup, clock, providers } = setUp(first, source('b', [ok]));
  assert.equal((await lookup()).ok, true);
  assert.deepEqual(
    providers.available('lookup').map(({ id }) => id),
    ['b'],
  );
  assert.deepEqual(
    providers.available('quotes').map(({ id }) => id),
    ['a', 'b'],
  );
  clock.time += 59 * 60_000;
  await lookup();
  assert.equal(first.calls, 1);
  clock.time += 60_000;
  assert.deepEqual(await lookup(), { ...ok, from: 'a' });
});

test('skips a provider for all capabilities until Retry-After has passed', async () => {
  const first = source('a', [{ ok: false, reason: 'rate_limited', retryAfter: 30 }, ok]);
  const { lookup, clock, providers } = setUp(first);
  assert.deepEqual(await lookup(), { ok: false, reason: 'rate_limited', retryAfter: 30 });
  assert.equal(first.exhausted, 1);
  assert.deepEqual(providers.available('quotes' satisfies Capability), []);
  clock.time += 29_999;
  assert.deepEqual(await lookup(), { ok: false, reason: 'rate_limited', retryAfter: 1 });
  clock.time += 1;
  assert.equal((await lookup()).ok, true);
});

test('returns retryAfter when a provider was skipped and no other knows the symbol', async () => {
  const { lookup, clock, providers } = setUp(
    source('a', [{ ok: false, reason: 'not_entitled' }]),
    source('b', [ok, { ok: false, reason: 'not_entitled' }, { ok: false, reason: 'unknown' }]),
  );
  await lookup();
  clock.time += 50 * 60_000;
  assert.deepEqual(
    await lookup(),
    { ok: false, reason: 'not_entitled', retryAfter: 600 },
    'the first provider was not called',
  );
  assert.deepEqual(await lookup(), { ok: false, reason: 'not_entitled', retryAfter: 600 }, 'no provider was called');
  assert.deepEqual(providers.available('lookup'), []);
  assert.deepEqual(
    await setUp(source('a', [{ ok: false, reason: 'not_entitled' }])).lookup(),
    { ok: false, reason: 'not_entitled' },
    'all providers were called',
  );

  const rateLimited = setUp(
    source('a', [{ ok: false, reason: 'rate_limited', retryAfter: 30 }]),
    source('b', [{ ok: false, reason: 'unknown' }]),
  );
  for (const attempt of [1, 2])
    assert.deepEqual(
      await rateLimited.lookup(),
      { ok: false, reason: 'rate_limited', retryAfter: 30 },
      `round ${attempt}: the first might know it`,
    );
});

test('has daily quota when a provider that has calls left is only backing off', async () => {
  const exhausted = { ...source('a', [ok]), secondsUntilDailyQuota: async () => 7_200 };
  const rateLimited = source('b', [{ ok: false, reason: 'rate_limited', retryAfter: 15 }]);
  const { providers, lookup } = setUp(rateLimited, exhausted);
  await lookup();
  assert.equal(await providers.secondsUntilDailyQuota('lookup', 'listing'), undefined);
});

test('waits for the daily quota of the others when one plan lacks the capability', async () => {
  const exhausted = { ...source('a', [ok]), secondsUntilDailyQuota: async () => 7_200 };
  const { providers, lookup } = setUp(source('b', [{ ok: false, reason: 'not_entitled' }]), exhausted);
  await lookup();
  assert.equal(await providers.secondsUntilDailyQuota('lookup', 'listing'), 7_200);
});

test('counts consecutive timeouts when canceled or skipped calls lie between', async () => {
  const timedOut = toUpstreamError(TIMED_OUT_DETAIL);
  for (const intermediate of [toUpstreamError(CANCELLED_DETAIL), { ok: false, reason: 'quota_exhausted' } as const]) {
    const { providers, lookup } = setUp(source('a', [timedOut, intermediate, timedOut, intermediate, timedOut, ok]));
    for (let call = 0; call < 5; call += 1) await lookup();
    assert.deepEqual(providers.available('quotes'), [], intermediate.reason);
  }
});

test('keeps calling a provider when callers cancel their calls repeatedly', async () => {
  const { lookup } = setUp(source('a', [...Array(3).fill(toUpstreamError(CANCELLED_DETAIL)), ok]));
  for (let call = 0; call < 3; call += 1) await lookup();
  assert.deepEqual(await lookup(), { ...ok, from: 'a' });
});

test('ignores providers that do not support the request, and their skip errors', async () => {
  const rateLimited = source('a', [{ ok: false, reason: 'rate_limited', retryAfter: 30 }]);
  const second = source('b', [ok]);
  const { providers, lookup } = setUp(rateLimited, second);
  await lookup();
  const supports = ({ id }: MarketDataProvider) => id === 'b';
  const answer = await providers.call('lookup', async () => ({ ok: false, reason: 'unknown' }), { supports });
  assert.deepEqual(answer, { ok: false, reason: 'unknown' });
});

test('returns a partial result and applies the back-off when a rate limit stops it', async () => {
  const partialResult: ProviderResult<Listing> = {
    ok: true,
    value: listing,
    stoppedBy: { ok: false, reason: 'rate_limited', retryAfter: 30 },
  };
  const first = source('a', [partialResult]);
  const { lookup, providers } = setUp(first, source('b', [ok]));
  assert.deepEqual(await lookup(), { ...partialResult, from: 'a' });
  assert.equal(first.exhausted, 1);
  assert.deepEqual(
    providers.available('quotes').map(({ id }) => id),
    ['b'],
  );
});

test('returns unknown only when no provider failed', async () => {
  const unknown: ProviderResult<Listing> = { ok: false, reason: 'unknown' };
  const upstreamError: ProviderResult<Listing> = { ok: false, reason: 'upstream', detail: 'x' };
  assert.deepEqual(await setUp(source('a', [unknown]), source('b', [unknown])).lookup(), unknown);
  for (const pair of [
    [unknown, upstreamError],
    [upstreamError, unknown],
  ] as const) {
    assert.deepEqual(await setUp(source('a', [pair[0]]), source('b', [pair[1]])).lookup(), upstreamError);
  }
});

test('fails over when a provider throws', async () => {
  const broken = source('a', [ok]);
  broken.provider.lookup = () => Promise.reject(new Error('boom'));
  assert.deepEqual(await setUp(broken, source('b', [ok])).lookup(), { ...ok, from: 'b' });
});
