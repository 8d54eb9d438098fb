import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { FINNHUB_KEY, startFinnhubFake } from '../../test/fakes/finnhub/finnhub-fake.ts';
import { fmpCandles, fmpQuote } from '../../test/fakes/fmp/fmp-fake.ts';
import type { Stage } from '../../test/support/market-stage.ts';
import { DURING, setUpMarket, watch } from '../../test/support/market-stage.ts';
import { createJobs } from '../jobs/jobs.ts';
import { createMarketData } from './market-data.ts';

test('pitfall 7: a price that changed its unit overnight is held back and the old one stays, until it is itself again', async (t) => {
  const stage = await setUpMarket(t);
  await watch(stage, 'VOD.L', 'AAPL');
  const before = await stage.row('VOD.L');
  stage.fake.state.quotes.set('VOD.L', fmpQuote('VOD.L', 72.3, 72));
  stage.fake.state.quotes.set('AAPL', fmpQuote('AAPL', 233, 228.02));
  await stage.run('market-refresh');
  const held = await stage.row('VOD.L');
  assert.equal(held.current_price, before.current_price);
  assert.match(held.quarantine_reason!, /change of unit/);
  assert.equal((await stage.row('AAPL')).current_price, 233, 'the rest of the batch is written');
  stage.fake.state.quotes.set('VOD.L', fmpQuote('VOD.L', 7_230, 7_200));
  await stage.run('market-refresh');
  const healed = await stage.row('VOD.L');
  assert.deepEqual([healed.current_price, healed.quarantine_reason], [72.3, null]);
});

test('pitfall 7: a split of that size is taken where the split feed knows it, and its history is fetched anew', async (t) => {
  const stage = await setUpMarket(t);
  await watch(stage, 'AAPL');
  await stage.run('market-backfill', { symbol: 'AAPL' });
  assert.deepEqual((await stage.closesOf('AAPL')).at(-1), ['2026-11-19', 228.02]);
  stage.fake.state.quotes.set('AAPL', fmpQuote('AAPL', 2.33, 2.28));
  stage.fake.state.splits.set('AAPL', [{ symbol: 'AAPL', date: '2026-11-20', numerator: 100, denominator: 1 }]);
  stage.fake.state.candles.set('AAPL', fmpCandles('AAPL', [['2026-11-18', 2.27], ['2026-11-19', 2.28]]));
  await stage.run('market-refresh');
  assert.deepEqual([(await stage.row('AAPL')).current_price, (await stage.row('AAPL')).quarantine_reason], [2.33, null]);
  const waiting = await stage.db.owner<{ payload: object }>(`select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks k on k.id = j.task_id where k.identifier = 'market-backfill'`);
  assert.deepEqual(waiting, [{ payload: { symbol: 'AAPL', again: true } }]);
  await stage.db.owner(`update market.backfills set done_at = done_at - interval '2 minutes'`);
  await stage.run('market-backfill', { symbol: 'AAPL', again: true });
  assert.deepEqual(await stage.closesOf('AAPL'), [['2026-11-18', 2.27], ['2026-11-19', 2.28]], 'nothing of the old scale is left');
});

test('a small split is looked up and its history fetched anew; a wild day, and the same split again on that day, are not', async (t) => {
  const stage = await setUpMarket(t);
  await watch(stage, 'AAPL', 'BRK.B');
  for (const symbol of ['AAPL', 'BRK.B']) await stage.run('market-backfill', { symbol });
  const tick = async () => {
    await stage.run('market-refresh');
    return (await stage.db.owner<{ symbol: string }>(`delete from graphile_worker._private_jobs returning payload ->> 'symbol' as symbol`)).map(({ symbol }) => symbol);
  };
  const splitCalls = () => stage.fake.requests.filter(({ path }) => path === '/splits').length;
  stage.fake.state.quotes.set('AAPL', fmpQuote('AAPL', 183, 182.4)); // 5 for 4
  stage.fake.state.quotes.set('BRK-B', fmpQuote('BRK-B', 191, 190)); // no split
  assert.deepEqual(await tick(), [], 'the split feed does not know it yet');
  assert.equal(splitCalls(), 2);
  await stage.db.owner(`update market.quote_notes set split_checked_at = now() - interval '21 hours'`);
  stage.fake.state.splits.set('AAPL', [{ symbol: 'AAPL', date: '2026-11-20', numerator: 5, denominator: 4 }]);
  assert.deepEqual(await tick(), ['AAPL']);
  assert.equal(splitCalls(), 4);
  // The candles stay as they were, and so the doubt.
  await stage.db.owner(`update market.backfills set done_at = done_at - interval '2 minutes'`);
  await stage.run('market-backfill', { symbol: 'AAPL', again: true });
  assert.deepEqual(await tick(), []);
  assert.equal(splitCalls(), 4, 'once a day');
});

test('pitfall 7: where one provider quotes pence and the other pounds, each is read in its own unit', async (t) => {
  const stage = await setUpMarket(t);
  await watch(stage, 'VOD.L');
  const finnhub = await startFinnhubFake();
  t.after(() => finnhub.close());
  // Its search knows American listings alone, so it says no currency of this one.
  finnhub.state.quotes.set('VOD.L', { ...finnhub.state.quotes.get('AAPL'), c: 72.3, pc: 72, o: 72, h: 72.4, l: 72 });
  finnhub.state.candles.set('VOD.L', finnhub.state.candles.get('AAPL')!);
  const other = createMarketData({
    sql: stage.db.database.service,
    jobs: createJobs(stage.db.database),
    logger: pino({ level: 'silent' }),
    providers: { finnhub: { key: FINNHUB_KEY, baseUrl: finnhub.url } },
    now: () => new Date(DURING),
  });
  assert.deepEqual([(await stage.row('VOD.L')).current_price, (await stage.row('VOD.L')).source], [72.15, 'fmp']);
  const first = await other.refreshNow(['VOD.L']);
  assert.deepEqual([first.written, (await stage.row('VOD.L')).current_price, (await stage.row('VOD.L')).source], [1, 72.3, 'finnhub']);
  const lookUps = () => [...finnhub.requests, ...stage.fake.requests].filter(({ path }) => path === '/search' || path === '/profile').length;
  const asked = lookUps();
  await other.refreshNow(['VOD.L']);
  await stage.room.refreshNow(['VOD.L']);
  assert.deepEqual([(await stage.row('VOD.L')).current_price, (await stage.row('VOD.L')).source], [72.15, 'fmp']);
  assert.equal(lookUps(), asked, 'each says it once');
  await other.backfillNow('VOD.L', false);
  assert.deepEqual((await stage.closesOf('VOD.L')).at(-1), ['2026-11-19', 228.02], 'candles too');
});

const at = (time: string) => ({ timestamp: Date.parse(time) / 1_000 });

/** The symbols of the backfills that wait, which then wait no more. */
const takeJobs = async ({ db }: Stage) => (await db.owner<{ payload: { symbol: string; again?: boolean } }>('delete from graphile_worker._private_jobs returning payload')).map(({ payload }) => payload);

test('in the evening of a wild day its own close is no sign of a split, and a fresh copy that lacks the day leaves it', async (t) => {
  const stage = await setUpMarket(t);
  const { fake } = stage;
  stage.setTime('2026-07-14T20:30:00Z');
  const days: [string, number][] = [['2026-07-09', 101], ['2026-07-10', 102], ['2026-07-13', 100]];
  fake.state.candles.set('AAPL', fmpCandles('AAPL', days));
  fake.state.quotes.set('AAPL', fmpQuote('AAPL', 150, 100, at('2026-07-14T20:00:00Z')));
  await watch(stage, 'AAPL');
  await stage.run('market-backfill', { symbol: 'AAPL' });
  stage.setTime('2026-07-14T20:40:00Z');
  await stage.run('market-roll-closes');
  stage.setTime('2026-07-15T00:45:00Z');
  await stage.run('market-refresh-evening', { always: true });
  assert.deepEqual(await takeJobs(stage), []);
  await stage.db.owner(`update market.backfills set done_at = done_at - interval '2 minutes'`);
  assert.deepEqual(await stage.room.backfillNow('AAPL', true), { outcome: 'stored', candles: 3 });
  assert.deepEqual(await stage.closesOf('AAPL'), [...days, ['2026-07-14', 150]]);
});
