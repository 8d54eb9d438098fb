import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createLogger } from '../../../platform/http/logger.ts';
import type { ServiceSql } from '../../../platform/database/roles.ts';
import { withTtlCache } from '../../providers/single-flight/ttl-cache.ts';
import { createProviderChain } from '../../providers/chain/provider-chain.ts';
import type { ProviderResult, Listing, MarketDataProvider } from '../../domain/market-data-provider.ts';
import { createRegistration } from './register-symbol.ts';

/** An empty catalog: symbols are only looked up. */
const empty = { query: async () => [] } as unknown as ServiceSql;

function setUp(answer: () => Promise<ProviderResult<Listing>>, secondsUntilDailyQuota?: number) {
  const asked: string[] = [];
  const provider = {
    id: 'fake',
    capabilities: new Set(['lookup']),
    lookup: (symbol: string) => {
      asked.push(symbol);
      return answer();
    },
  } as unknown as MarketDataProvider;
  const clock = () => Date.parse('2026-11-18T20:30:15Z');
  const providers = createProviderChain(
    [{ provider, secondsUntilDailyQuota: async () => secondsUntilDailyQuota }],
    createLogger('silent'),
    clock,
  );
  return { asked, ...createRegistration({ sql: empty, providers, singleFlight: withTtlCache(clock) }, clock) };
}

test('returns the wait of the provider or of the quota when a look-up fails', async () => {
  const getWait = async (lookupError: ProviderResult<Listing>, secondsUntilDailyQuota?: number) => {
    const { lookUp } = setUp(async () => lookupError, secondsUntilDailyQuota);
    const first = await lookUp('NEWCO');
    // The skipped provider imposes the same wait on the next look-up.
    return [first, await lookUp('OTHER')].map((found) => (found.ok ? 'found' : found.retryAfter));
  };
  assert.deepEqual(await getWait({ ok: false, reason: 'rate_limited', retryAfter: 42 }), [42, 42]);
  assert.deepEqual(await getWait({ ok: false, reason: 'rate_limited', retryAfter: null }), [15, 15]);
  assert.deepEqual(await getWait({ ok: false, reason: 'not_entitled' }), [3_600, 3_600]);
  assert.deepEqual(await getWait({ ok: false, reason: 'quota_exhausted' }), [45, 45], 'waits for the next minute');
  assert.deepEqual(
    await getWait({ ok: false, reason: 'quota_exhausted' }, 7_200),
    [7_200, 7_200],
    'waits for the daily quota',
  );
  assert.deepEqual(await getWait({ ok: false, reason: 'upstream', detail: 'status 500' }), [undefined, undefined]);
});

test('looks up a symbol once for concurrent members and retries after a failure', async () => {
  let answer: (value: ProviderResult<Listing>) => void = () => {};
  const { asked, lookUp } = setUp(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  const three = Promise.all(['NEWCO', 'newco', 'NEWCO'].map((symbol) => lookUp(symbol)));
  while (asked.length === 0) await new Promise(setImmediate);
  answer({ ok: false, reason: 'upstream', detail: 'no response in time' });
  assert.deepEqual(
    (await three).map((found) => found.ok),
    [false, false, false],
  );
  assert.deepEqual(asked, ['NEWCO']);
  const secondLookUp = lookUp('NEWCO');
  while (asked.length === 1) await new Promise(setImmediate);
  answer({ ok: false, reason: 'unknown' });
  await secondLookUp;
  assert.equal(asked.length, 2);
});
