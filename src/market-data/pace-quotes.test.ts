import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { FMP_KEY, fmpQuote } from '../../test/fakes/fmp/fmp-fake.ts';
import { setUpMarket } from '../../test/support/market-stage.ts';
import { createJobs } from '../jobs/jobs.ts';
import { createMarketData } from './market-data.ts';
import { quotesShare } from './pace-quotes.ts';

test('quotes may use a day\'s calls as its session goes on, in summer, in winter and on half days', () => {
  const at = (time: string): number => Number(quotesShare(new Date(time)).toFixed(3));
  // A Friday with 390 minutes from 14:30 on; a refresh may go a quarter of an hour ahead.
  const winter = ['00:00', '07:15', '14:29', '14:30', '17:45', '20:45', '21:00', '21:14', '21:15', '23:59'].map((time) => at(`2026-11-20T${time}:00Z`));
  assert.deepEqual(winter, [0.1, 0.125, 0.15, 0.163, 0.338, 0.5, 0.5, 0.5, 0.7, 0.7]);
  assert.deepEqual([at('2026-07-15T13:29:00Z'), at('2026-07-15T13:30:00Z'), at('2026-07-15T20:15:00Z')], [0.15, 0.163, 0.7]);
  assert.deepEqual([at('2026-11-27T17:59:00Z'), at('2026-11-27T18:15:00Z')], [0.5, 0.7]);
  for (const rest of ['2026-11-21T00:45:00Z', '2026-11-26T16:00:00Z']) assert.equal(at(rest), 0.7, 'there is no session to save for');
});

test('a small day\'s budget lasts through the session: all have their turn and their close, and new symbols, reports and the evening find calls left', async (t) => {
  const { db, fake } = await setUpMarket(t);
  fake.state.plan = 'free';
  let time = new Date('2026-11-20T14:30:00Z');
  const providers = { fmp: { key: FMP_KEY, baseUrl: fake.url, callsPerMinute: 100_000, callsPerDay: 250 } };
  const room = createMarketData({ sql: db.database.service, jobs: createJobs(db.database), logger: pino({ level: 'silent' }), providers, now: () => time });
  const symbols = Array.from({ length: 60 }, (_, place) => `S${String(place).padStart(2, '0')}`);
  await db.owner(`insert into public.all_users (idp_id) values ('user_feed')`);
  await db.owner(`insert into public.tracked_tickers_latest (symbol, asset_type, currency) select unnest($1::text[]), 'stock', 'USD'`, [symbols]);
  await db.owner(`insert into public.watchlist_items (idp_id, symbol, position) select 'user_feed', s.symbol, s.place from unnest($1::text[]) with ordinality as s (symbol, place)`, [symbols]);
  const run = async (task: string, payload = {}) => {
    fake.requests.length = 0;
    const stamp = { timestamp: time.getTime() / 1_000 };
    for (const symbol of symbols) fake.state.quotes.set(symbol, fmpQuote(symbol, 10, 10, stamp));
    await room.tasks[task]!(payload as never, { jobId: '1', attempt: 1, maxAttempts: 1, signal: new AbortController().signal });
    return fake.requests.map(({ params }) => params.get('symbol')).filter((symbol) => symbol !== null);
  };

  const ticks: string[][] = [];
  for (; time < new Date('2026-11-20T21:35:00Z'); time = new Date(time.getTime() + 15 * 60_000)) ticks.push(await run('market-refresh'));
  const session = ticks.slice(0, -3);
  assert.ok(session.slice(1).every((tick) => tick.length > 0 && tick.length <= 5), 'calls at every hour: ' + session.map((tick) => tick.length));
  assert.equal(new Set(session.flat()).size, 60, 'each had its turn');
  assert.ok(new Set(ticks.slice(-3).flat()).size >= 45, 'most have their last price, which makes the close');

  assert.equal((await room.registerSymbol('AAPL')).ok, true, 'a new symbol is still looked up');
  assert.equal((await room.earnings(symbols.slice(0, 20), { from: '2026-11-20', to: '2027-02-18' })).complete, true);

  await db.owner('delete from market.provider_calls');
  time = new Date('2026-11-24T00:45:00Z'); // a Monday's evening is the next day's, before its session
  await db.owner(
    `update public.tracked_tickers_latest set asset_type = 'mutual_fund', change_1d = null, change_amount = null, prev_close = null, open = null, day_low = null, day_high = null,
       volume = null, market_cap = null where symbol >= 'S50'`,
  );
  assert.deepEqual((await run('market-refresh-evening', { always: true })).slice(0, 10).sort(), symbols.slice(50));
});
