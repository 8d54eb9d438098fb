import assert from 'node:assert/strict';
import { test } from 'vitest';
import { setImmediate as eventLoop } from 'node:timers/promises';
import { createProviderChain } from '../providers/chain/provider-chain.ts';
import { createMarketStatus } from './market-status.ts';
import type { ProviderResult, MarketSession } from '../domain/market-data-provider.ts';
import { createSimulator } from '../../embedded/market-data/simulator.ts';

const silentLogger = { warn: () => {} };

/** A status whose provider says what `say` says, and a clock. */
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
    later: (seconds: number) => void (clock.time = new Date(clock.time.getTime() + seconds * 1_000)),
  };
}

const fetchClosed = async (): Promise<ProviderResult<MarketSession>> => ({ ok: true, value: 'closed' });

test('the calendar answers at once; an unforeseen closure that the provider knows of follows', async () => {
  const { status, clock, later } = setUp('2026-11-20T16:20:00Z', fetchClosed);
  assert.equal((await status())!.session, 'open');
  await eventLoop();
  assert.deepEqual(await status(), { session: 'closed', next_change_at: '2026-11-20T21:00:00.000Z' });
  for (let second = 0; second < 59; second += 1) {
    later(1);
    await status();
  }
  assert.equal(clock.calls, 1, 'asked once a minute');
  later(1);
  await status();
  assert.equal(clock.calls, 2);
});

test("a provider's word does not outlive a change that the calendar knows of", async () => {
  const { status, later } = setUp('2026-11-20T20:59:30Z', async () => ({ ok: true, value: 'open' }));
  await status();
  await eventLoop();
  assert.equal((await status())!.session, 'open');
  later(40);
  assert.equal((await status())!.session, 'post');
});

test("a provider's word holds for two minutes", async () => {
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

test('no trouble of the provider reaches the status', async () => {
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

test('a broken clock is no answer, not an exception', async () => {
  const { status } = setUp('not a time', fetchClosed);
  assert.equal(await status(), null);
});
