import assert from 'node:assert/strict';
import { test } from 'vitest';
import { setImmediate as eventLoop } from 'node:timers/promises';
import { createProviderChain } from '../providers/chain/provider-chain.ts';
import { createMarketStatus } from './market-status.ts';
import type { ProviderResult, MarketSession } from '../domain/market-data-provider.ts';
import { createSimulator } from '../../embedded/market-data/simulator.ts';

const silentLogger = { warn: () => {} };

/** Creates a status service with a clock and a provider that returns the result of `fetchStatus`. */
function setUp(start: string, fetchStatus: () => Promise<ProviderResult<MarketSession>>) {
  const clock = { time: new Date(start), calls: 0 };
  const provider = {
    ...createSimulator({ now: () => clock.time }),
    status: () => {
      clock.calls += 1;
      return fetchStatus();
    },
  };
  const status = createMarketStatus({
    providers: createProviderChain([{ provider }], silentLogger),
    now: () => clock.time,
  });
  return {
    clock,
    status,
    later: (seconds: number) => {
      clock.time = new Date(clock.time.getTime() + seconds * 1_000);
    },
  };
}

const fetchClosed = async (): Promise<ProviderResult<MarketSession>> => ({ ok: true, value: 'closed' });

test("returns the calendar's session first, then an unexpected closure of the provider", async () => {
  const { status, clock, later } = setUp('2026-11-20T16:20:00Z', fetchClosed);
  assert.equal((await status())!.session, 'open');
  await eventLoop();
  assert.deepEqual(await status(), { session: 'closed', next_change_at: '2026-11-20T21:00:00.000Z' });
  for (let second = 0; second < 59; second += 1) {
    later(1);
    await status();
  }
  assert.equal(clock.calls, 1, 'called once a minute');
  later(1);
  await status();
  assert.equal(clock.calls, 2);
});

test("drops a provider's session at the next change of the calendar", async () => {
  const { status, later } = setUp('2026-11-20T20:59:30Z', async () => ({ ok: true, value: 'open' }));
  await status();
  await eventLoop();
  assert.equal((await status())!.session, 'open');
  later(40);
  assert.equal((await status())!.session, 'post');
});

test("uses a provider's session for two minutes", async () => {
  const answers: ProviderResult<MarketSession>[] = [{ ok: true, value: 'closed' }];
  const { status, later } = setUp(
    '2026-11-20T16:20:00Z',
    async () => answers.pop() ?? { ok: false, reason: 'upstream', detail: 'x' },
  );
  await status();
  await eventLoop();
  later(119);
  assert.equal((await status())!.session, 'closed');
  await eventLoop();
  later(2);
  assert.equal((await status())!.session, 'open');
});

test("returns the calendar's session when the provider fails", async () => {
  for (const fetchStatus of [
    () => Promise.reject(new Error('boom')),
    () => new Promise<never>(() => {}),
    async (): Promise<ProviderResult<MarketSession>> => ({ ok: false, reason: 'upstream', detail: 'x' }),
  ]) {
    const { status, later } = setUp('2026-11-20T16:20:00Z', fetchStatus);
    for (let call = 0; call < 3; call += 1) {
      assert.equal((await status())!.session, 'open');
      await eventLoop();
      later(61);
    }
  }
});

test('returns null without throwing when the clock is broken', async () => {
  const { status } = setUp('not a time', fetchClosed);
  assert.equal(await status(), null);
});
