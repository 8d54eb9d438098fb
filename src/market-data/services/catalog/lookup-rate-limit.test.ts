import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createLookupRateLimiter, MAX_LOOKUPS_PER_MINUTE } from './lookup-rate-limit.ts';

const symbols = (from: number, count: number): string[] => Array.from({ length: count }, (_, i) => `Q${from + i}`);

/** Creates a limiter with a test clock and records the look-ups behind it. */
function setUp(answer: { ok: true } | { ok: false; reason: string } = { ok: false, reason: 'unknown' }) {
  let now = 1_000_000;
  const asked: string[] = [];
  const lookUp = createLookupRateLimiter(() => now);
  const lookUpFake = async (symbol: string) => {
    asked.push(symbol);
    return answer;
  };
  return {
    asked,
    pass: (seconds: number) => {
      now += seconds * 1_000;
    },
    all: (member: string, wanted: readonly string[]) =>
      Promise.all(wanted.map((symbol) => lookUp(member, symbol, lookUpFake))),
  };
}

test('limits look-ups of unknown symbols per minute for each member separately', async () => {
  const { asked, pass, all } = setUp();
  await all('user_a', symbols(0, MAX_LOOKUPS_PER_MINUTE));
  pass(20);
  assert.deepEqual(await all('user_a', ['QX']), [{ ok: false, reason: 'rate_limited', retryAfter: 40 }]);
  assert.equal(asked.length, MAX_LOOKUPS_PER_MINUTE, 'no provider is called beyond the limit');
  assert.deepEqual(await all('user_b', ['QX']), [{ ok: false, reason: 'unknown' }]);
  pass(40);
  assert.deepEqual(await all('user_a', ['QZ']), [{ ok: false, reason: 'unknown' }]);
});

test('does not count cached answers and symbols that need no provider', async () => {
  const { asked, pass, all } = setUp();
  const wanted = symbols(0, MAX_LOOKUPS_PER_MINUTE);
  await all('user_a', wanted);
  assert.ok(
    (await all('user_a', [...wanted, 'BTC-USD', 'EURUSD=X'])).every(
      ({ ok, ...rest }) => !ok && 'reason' in rest && rest.reason === 'unknown',
    ),
    'an import after its dry run',
  );
  assert.equal(asked.length, 2 * MAX_LOOKUPS_PER_MINUTE + 2);
  await all('user_b', wanted);
  assert.deepEqual(await all('user_b', ['QX']), [{ ok: false, reason: 'unknown' }], 'cached for every member');
  pass(10 * 60);
  await all('user_a', wanted);
  assert.deepEqual(
    (await all('user_a', ['QY'])).map(({ ok }) => ok),
    [false],
  );
  assert.equal(asked.includes('QY'), false, 'an expired answer is fetched again');
});

test('counts every attempt when a look-up fails', async () => {
  const { asked, all } = setUp({ ok: false, reason: 'unavailable' });
  await all('user_a', Array(MAX_LOOKUPS_PER_MINUTE + 5).fill('QA'));
  assert.equal(asked.length, MAX_LOOKUPS_PER_MINUTE);
});
