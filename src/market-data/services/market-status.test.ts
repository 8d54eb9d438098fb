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

test('calls a provider once a minute and returns an unexpected closure at once', async () => {
  const { status, clock, later } = setUp('2026-11-20T16:20:00Z', fetchClosed);
  for (let second = 0; second < 60; second += 1) {
    assert.deepEqual(await status(), {
      session: 'closed',
      next_change_at: '2026-11-20T21:00:00.000Z',
      session_valid_seconds: 60 - second,
    });
    later(1);
  }
  assert.equal(clock.calls, 1);
  assert.equal((await status())!.session_valid_seconds, 60);
  assert.equal(clock.calls, 2);
});

test('is valid until the next change of the calendar when no provider has a status', async () => {
  const status = createMarketStatus({
    providers: createProviderChain([], silentLogger),
    now: () => new Date('2026-11-20T20:30:00Z'),
  });
  assert.deepEqual(await status(), {
    session: 'open',
    next_change_at: '2026-11-20T21:00:00.000Z',
    session_valid_seconds: 1_800,
  });
});

test("drops a provider's session at the next change of the calendar", async () => {
  const { status, later } = setUp('2026-11-20T20:59:30Z', async () => ({ ok: true, value: 'open' }));
  assert.equal((await status())!.session, 'open');
  later(40);
  assert.equal((await status())!.session, 'post');
});

test("uses a provider's session for one minute", async () => {
  const answers: ProviderResult<MarketSession>[] = [{ ok: true, value: 'closed' }];
  const { status, later } = setUp(
    '2026-11-20T16:20:00Z',
    async () => answers.pop() ?? { ok: false, reason: 'upstream', detail: 'x' },
  );
  await status();
  later(59);
  assert.equal((await status())!.session, 'closed');
  later(1);
  assert.equal((await status())!.session, 'open');
});

test('waits half a second for a slow provider and uses its session from the next request on', async () => {
  const { promise, resolve } = Promise.withResolvers<ProviderResult<MarketSession>>();
  const { status, clock } = setUp('2026-11-20T16:20:00Z', () => promise);
  assert.deepEqual(
    (await Promise.all([status(), status()])).map((answer) => answer!.session),
    ['open', 'open'],
  );
  resolve({ ok: true, value: 'closed' });
  await eventLoop();
  assert.equal((await status())!.session, 'closed');
  assert.equal(clock.calls, 1);
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
      later(61);
    }
  }
});

test('returns null without throwing when the clock is broken', async () => {
  const { status } = setUp('not a time', fetchClosed);
  assert.equal(await status(), null);
});
