import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fmpQuote } from '../../test/fakes/fmp/fmp-fake.ts';
import type { Stage } from '../../test/support/market-stage.ts';
import { setUpMarket, watch } from '../../test/support/market-stage.ts';

const closing = { timestamp: Date.parse('2026-11-20T21:00:00Z') / 1_000 };

/** The refreshes that wait, which go with the question. */
const refreshes = async ({ db }: Stage) =>
  (await db.owner<{ payload: object }>(`delete from graphile_worker._private_jobs j using graphile_worker._private_tasks k where k.id = j.task_id and k.identifier = 'market-refresh' returning j.payload`)).map(({ payload }) => payload);

test('prices that came due while nothing ran are fetched though one listing is current, once, however many processes start', async (t) => {
  const stage = await setUpMarket(t);
  await watch(stage, 'AAPL', 'BRK.B');
  // The feed sleeps from Friday noon on; on Saturday one more is registered, one of those that everybody is offered.
  stage.setTime('2026-11-21T16:00:00Z');
  stage.fake.state.quotes.set('AAPL', fmpQuote('AAPL', 250, 248, closing));
  stage.fake.state.quotes.set('VOO', fmpQuote('VOO', 545, 540, closing));
  await stage.room.registerSymbol('VOO');
  await stage.db.owner(`update market.quote_notes set asked_at = case when ticker_id = (select ticker_id from public.tracked_tickers_latest where symbol = 'VOO') then $1 else $2 end::timestamptz`, ['2026-11-21T16:00:00Z', '2026-11-20T16:20:00Z']);
  await refreshes(stage);
  await Promise.all([stage.room.catchUp(), stage.room.catchUp()]);
  const waiting = await refreshes(stage);
  assert.deepEqual(waiting, [{ always: true, since: '2026-11-21T00:45:00.000Z' }]);
  stage.fake.requests.length = 0;
  await stage.run('market-refresh', waiting[0]);
  assert.deepEqual(stage.fake.requests.map(({ params }) => params.get('symbols')), ['AAPL,BRK-B'], 'the third had its price since');
  assert.equal((await stage.row('AAPL')).current_price, 250);
  await stage.run('market-refresh', waiting[0]);
  assert.equal(stage.fake.requests.length, 1, 'nor is one asked twice that has no newer price');
});

test('a start asks for nothing where every price in use is of the last close; what nobody looks at does not count', async (t) => {
  const stage = await setUpMarket(t);
  stage.setTime('2026-11-20T21:20:00Z');
  for (const symbol of ['AAPL', 'VTSAX']) stage.fake.state.quotes.set(symbol, fmpQuote(symbol, 100, null, closing));
  await watch(stage, 'AAPL');
  await stage.room.registerSymbol('BRK.B');
  await stage.room.catchUp();
  assert.deepEqual(await refreshes(stage), []);
  await stage.db.owner(`update public.tracked_tickers_latest set price_at = null`);
  await stage.room.catchUp();
  assert.deepEqual(await refreshes(stage), [{ always: true, since: '2026-11-20T21:15:00.000Z' }]);
});
