import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { FMP_KEY, fmpCandles, fmpQuote } from '../../test/fakes/fmp/fmp-fake.ts';
import type { Stage } from '../../test/support/market-stage.ts';
import { setUpMarket, watch } from '../../test/support/market-stage.ts';
import { createJobs } from '../jobs/jobs.ts';
import { createMarketData } from './market-data.ts';

const age = ({ db }: Stage, days: number) =>
  db.owner(`update public.tracked_tickers_latest set registered_at = registered_at - $1 * interval '1 day'`, [days]);
const asked = ({ fake }: Stage): (string | null)[] => fake.requests.splice(0).filter(({ path }) => path === '/profile').map(({ params }) => params.get('symbol'));
const listing = async ({ db }: Stage, symbol: string) =>
  (await db.owner<{ name: string; currency: string; current_price: number | null }>('select name, currency, current_price from public.tracked_tickers_latest where symbol = $1', [symbol]))[0];

test('once a week listings in use are asked who they are: a new name is taken over, cleaned, and nothing else changes', async (t) => {
  const stage = await setUpMarket(t);
  await watch(stage, 'AAPL', 'BRK.B');
  await stage.room.registerSymbol('VOD.L');
  await stage.run('market-backfill', { symbol: 'AAPL' });
  const closes = await stage.closesOf('AAPL');
  stage.fake.state.profiles.set('AAPL', { ...stage.fake.state.profiles.get('AAPL'), companyName: '  Apple \n Worldwide Inc.' });
  asked(stage);
  await age(stage, 6);
  await stage.run('market-profiles');
  assert.deepEqual(asked(stage), []);
  await age(stage, 2);
  await stage.run('market-profiles');
  assert.deepEqual(asked(stage), ['AAPL', 'BRK-B'], 'not what nobody looks at');
  assert.deepEqual(await listing(stage, 'AAPL'), { name: 'Apple Worldwide Inc.', currency: 'USD', current_price: 232.8 });
  assert.deepEqual(await stage.closesOf('AAPL'), closes);
  await stage.run('market-profiles');
  assert.deepEqual(asked(stage), []);
});

test('a listing that changed its currency gets it together with a new price and a new history; nothing of the old one is left', async (t) => {
  const stage = await setUpMarket(t);
  const { state } = stage.fake;
  state.candles.set('VOD.L', fmpCandles('VOD.L', [['2026-11-17', 7_150], ['2026-11-18', 7_180], ['2026-11-19', 7_200]]));
  await watch(stage, 'VOD.L');
  await stage.run('market-backfill', { symbol: 'VOD.L' });
  assert.deepEqual((await stage.closesOf('VOD.L')).at(-1), ['2026-11-19', 72]);
  state.profiles.set('VOD.L', { ...state.profiles.get('VOD.L'), currency: 'USD' });
  state.quotes.set('VOD.L', fmpQuote('VOD.L', 95.2, 95));
  state.candles.set('VOD.L', fmpCandles('VOD.L', [['2026-11-18', 94.8], ['2026-11-19', 95]]));
  await age(stage, 8);
  await stage.run('market-profiles');
  assert.deepEqual(await listing(stage, 'VOD.L'), { name: 'Vodafone Group Public Limited Company', currency: 'USD', current_price: 95.2 });
  assert.deepEqual(await stage.closesOf('VOD.L'), []);
  const [wish] = await stage.db.owner<{ payload: object }>(`select payload from graphile_worker._private_jobs where key = 'market-backfill:VOD.L'`);
  await stage.run('market-backfill', wish!.payload);
  assert.deepEqual(await stage.closesOf('VOD.L'), [['2026-11-18', 94.8], ['2026-11-19', 95]]);
});

test('while no price in the new currency can be had there is none; a provider that does not say a currency changes nothing', async (t) => {
  const stage = await setUpMarket(t);
  const { state } = stage.fake;
  await watch(stage, 'AAPL', 'BRK.B');
  state.profiles.set('AAPL', { ...state.profiles.get('AAPL'), currency: null });
  state.profiles.set('BRK-B', { ...state.profiles.get('BRK-B'), currency: 'EUR' });
  state.quotes.delete('BRK-B');
  await age(stage, 8);
  await stage.run('market-profiles');
  assert.deepEqual([(await listing(stage, 'AAPL'))!.current_price, (await listing(stage, 'AAPL'))!.currency], [232.8, 'USD']);
  assert.deepEqual([(await listing(stage, 'BRK.B'))!.current_price, (await listing(stage, 'BRK.B'))!.currency], [null, 'EUR']);
});

test('who has waited longest is asked first, with the day\'s spare calls alone', async (t) => {
  const stage = await setUpMarket(t);
  const symbols = Array.from({ length: 9 }, (_, place) => `S${place}`);
  await stage.db.owner(`insert into public.all_users (idp_id) values ('user_feed')`);
  await stage.db.owner(
    `insert into public.tracked_tickers_latest (symbol, asset_type, currency, registered_at) select s.symbol, 'stock', 'USD', now() - (20 - s.place) * interval '1 day'
       from unnest($1::text[]) with ordinality as s (symbol, place)`,
    [symbols],
  );
  await stage.db.owner(`insert into public.watchlist_items (idp_id, symbol, position) select 'user_feed', s.symbol, s.place from unnest($1::text[]) with ordinality as s (symbol, place)`, [symbols]);
  const providers = { fmp: { key: FMP_KEY, baseUrl: stage.fake.url, callsPerDay: 10 } };
  const room = createMarketData({ sql: stage.db.database.service, jobs: createJobs(stage.db.database), logger: pino({ level: 'silent' }), providers, now: () => new Date('2026-11-20T23:10:00Z') });
  const round = async () => {
    await room.tasks['market-profiles']!({} as never, { jobId: '1', attempt: 1, maxAttempts: 1, signal: new AbortController().signal });
    return asked(stage);
  };
  assert.deepEqual(await round(), symbols.slice(0, 6));
  assert.deepEqual(await stage.db.owner('select from graphile_worker._private_jobs'), [], 'tomorrow is soon enough for the rest');
  await stage.db.owner('delete from market.provider_calls');
  assert.deepEqual(await round(), symbols.slice(6), 'though nobody knew the first ones');
});
