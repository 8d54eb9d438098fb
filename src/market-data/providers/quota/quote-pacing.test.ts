import assert from 'node:assert/strict';
import { test, type TestContext } from 'vitest';
import { FMP_KEY, createFmpQuote } from '../../../../test/fakes/fmp/fmp-fake.ts';
import { createMarket, setUpMarketFixture } from '../../../../test/support/market-fixture.ts';
import { getQuoteShare } from './quote-pacing.ts';

test('raises the share of quotes during the session in summer, winter and on half days', () => {
  const at = (time: string): number => Number(getQuoteShare(new Date(time)).toFixed(3));
  // A Friday with 390 minutes from 14:30 on. A refresh may run a quarter of an hour ahead.
  const winter = ['00:00', '07:15', '14:29', '14:30', '17:45', '20:45', '21:00', '21:14', '21:15', '23:59'].map(
    (time) => at(`2026-11-20T${time}:00Z`),
  );
  assert.deepEqual(winter, [0.1, 0.125, 0.15, 0.163, 0.338, 0.5, 0.5, 0.5, 0.7, 0.7]);
  assert.deepEqual(
    [at('2026-07-15T13:29:00Z'), at('2026-07-15T13:30:00Z'), at('2026-07-15T20:15:00Z')],
    [0.15, 0.163, 0.7],
  );
  assert.deepEqual([at('2026-11-27T17:59:00Z'), at('2026-11-27T18:15:00Z')], [0.5, 0.7]);
  for (const rest of ['2026-11-21T00:45:00Z', '2026-11-26T16:00:00Z'])
    assert.equal(at(rest), 0.7, 'no session needs a reserve');
});

/** Creates market data with 250 calls a day and watched listings without a price. */
async function setUpSmallDay(t: TestContext, watched: number) {
  const { db, fake } = await setUpMarketFixture(t);
  fake.state.plan = 'free';
  const clock = { time: new Date('2026-11-20T14:30:00Z') };
  const providers = { fmp: { key: FMP_KEY, baseUrl: fake.url, callsPerMinute: 100_000, callsPerDay: 250 } };
  const marketData = createMarket(db.database, providers, () => clock.time);
  const symbols = Array.from({ length: watched }, (_, index) => `S${String(index).padStart(3, '0')}`);
  await db.owner(`insert into public.all_users (idp_id) values ('user_feed')`);
  await db.owner(
    `insert into public.tracked_tickers_latest (symbol, asset_type, currency)
     select unnest($1::text[]), 'stock', 'USD'`,
    [symbols],
  );
  await db.owner(
    `insert into public.watchlist_items (idp_id, symbol, position) select 'user_feed', s.symbol, s.place
     from unnest($1::text[]) with ordinality as s (symbol, place)`,
    [symbols],
  );
  /** Runs a task and returns the requested symbols. */
  const run = async (task: string, payload = {}) => {
    fake.requests.length = 0;
    const stamp = { timestamp: clock.time.getTime() / 1_000 };
    for (const symbol of symbols) fake.state.quotes.set(symbol, createFmpQuote(symbol, 10, 10, stamp));
    await marketData.tasks[task]!(payload as never, {
      jobId: '1',
      attempt: 1,
      maxAttempts: 1,
      signal: new AbortController().signal,
    });
    return fake.requests.map(({ params }) => params.get('symbol')).filter((symbol) => symbol !== null);
  };
  return { db, fake, marketData, clock, symbols, run };
}

test(
  'serves all prices and closes within a small daily quota and leaves other calls',
  { tags: ['slow'] },
  async (t) => {
    const { db, marketData, clock, symbols, run } = await setUpSmallDay(t, 60);
    const ticks: string[][] = [];
    for (; clock.time < new Date('2026-11-20T21:35:00Z'); clock.time = new Date(clock.time.getTime() + 15 * 60_000))
      ticks.push(await run('market-refresh'));
    const session = ticks.slice(0, -3);
    assert.ok(
      session.slice(1).every((tick) => tick.length > 0 && tick.length <= 5),
      'calls at every hour: ' + session.map((tick) => tick.length),
    );
    assert.equal(new Set(session.flat()).size, 60, 'each listing has a price');
    assert.ok(new Set(ticks.slice(-3).flat()).size >= 45, 'most listings have their last price');

    assert.equal((await marketData.registerSymbol('AAPL')).ok, true, 'a new symbol can be looked up');
    assert.equal(
      (await marketData.earnings(symbols.slice(0, 20), { from: '2026-11-20', to: '2027-02-18' })).complete,
      true,
    );

    await db.owner('delete from market.provider_calls');
    clock.time = new Date('2026-11-24T00:45:00Z'); // the evening of a Monday belongs to the next UTC day, before its session
    await db.owner(
      `update public.tracked_tickers_latest set asset_type = 'mutual_fund', change_1d = null, change_amount = null,
       prev_close = null, open = null, day_low = null, day_high = null,
       volume = null, market_cap = null where symbol >= 'S050'`,
    );
    assert.deepEqual((await run('market-refresh-evening', { always: true })).slice(0, 10).sort(), symbols.slice(50));
  },
);

test('fetches the first price of a symbol when quotes have used their evening share', async (t) => {
  const { db, fake, marketData, clock, run } = await setUpSmallDay(t, 60);
  clock.time = new Date('2026-11-24T00:45:00Z');
  assert.equal((await run('market-refresh-evening', { always: true })).length > 20, true);
  clock.time = new Date('2026-11-24T00:47:00Z');
  assert.deepEqual(
    await run('market-refresh', { always: true, since: '2026-11-24T00:45:00Z' }),
    [],
    'exhausted for now',
  );
  for (const symbol of ['NEW', 'LATE'])
    fake.state.profiles.set(symbol, {
      symbol,
      companyName: symbol,
      currency: 'USD',
      exchange: 'NASDAQ',
      isEtf: false,
      isFund: false,
    });
  fake.state.quotes.set('NEW', createFmpQuote('NEW', 20, 20));
  for (const symbol of ['NEW', 'LATE']) assert.equal((await marketData.registerSymbol(symbol)).ok, true);
  fake.state.quotes.set('LATE', createFmpQuote('LATE', 30, 30));
  clock.time = new Date('2026-11-24T01:50:00Z'); // FMP is not called again within the hour for unknown symbols
  await run('market-refresh', { always: true, since: '2026-11-24T00:45:00Z' });
  assert.deepEqual(await run('market-refresh', { always: true, since: '2026-11-24T00:45:00Z' }), [], 'exhausted again');
  await run('market-refresh-symbol', { symbol: 'LATE' });
  assert.deepEqual(
    await db.owner(
      `select symbol, current_price from public.tracked_tickers_latest where symbol in ('NEW', 'LATE') order by 1`,
    ),
    [
      { symbol: 'LATE', current_price: 30 },
      { symbol: 'NEW', current_price: 20 },
    ],
  );
});

test('keeps requesting uncovered symbols in turn when the calls end behind them', async (t) => {
  const { db, fake, clock, symbols, run } = await setUpSmallDay(t, 60);
  for (const symbol of symbols.slice(0, 12)) fake.state.uncoveredSymbols.add(symbol);
  await db.owner(
    `insert into market.quote_checks (ticker_id, requested_at)
     select ticker_id, '2026-01-01'::timestamptz + right(symbol, 3)::int * interval '1 second'
       from public.tracked_tickers_latest where symbol like 'S0%'`,
  );
  // The calls of the morning are used up. Each quarter of an hour has two or three.
  await db.owner(
    `insert into market.provider_calls (provider, period, starts_at, used, quotes)
     values ('fmp', 'day', date_trunc('day', now(), 'UTC'), 37, 37)`,
  );
  const requested: string[] = [];
  for (; clock.time < new Date('2026-11-20T17:00:00Z'); clock.time = new Date(clock.time.getTime() + 15 * 60_000))
    requested.push(...(await run('market-refresh')));
  const requestedSymbols = requested.filter((symbol) => symbols.includes(symbol));
  assert.deepEqual(requestedSymbols, symbols.slice(0, requestedSymbols.length), 'each once, longest-waiting first');
  assert.ok(requestedSymbols.length > 15, `${requestedSymbols.length} were asked for`);
});
