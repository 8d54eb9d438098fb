import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'vitest';
import { FINNHUB_KEY, startFinnhubFake } from '../../test/fakes/finnhub/finnhub-fake.ts';
import { FMP_KEY, createFmpCandles, createFmpQuote } from '../../test/fakes/fmp/fmp-fake.ts';
import { startBarrierServer } from '../../test/fakes/gate.ts';
import { eventually } from '../../test/support/eventually.ts';
import {
  createMarket,
  setUpMarketFixture,
  type MarketFixture,
  removeJobs,
  addToWatchlist,
} from '../../test/support/market-fixture.ts';
import type { ProviderSettings } from './providers/provider-entries.ts';

const age = ({ db }: MarketFixture, days: number) =>
  db.owner(`update public.tracked_tickers_latest set registered_at = registered_at - $1 * interval '1 day'`, [days]);
const asked = ({ fake }: MarketFixture): (string | null)[] =>
  fake.requests
    .splice(0)
    .filter(({ path }) => path === '/profile')
    .map(({ params }) => params.get('symbol'));
const listing = async ({ db }: MarketFixture, symbol: string) =>
  (
    await db.owner<{ name: string; currency: string; declared_unit: string | null; current_price: number | null }>(
      'select name, currency, declared_unit, current_price from public.tracked_tickers_latest where symbol = $1',
      [symbol],
    )
  )[0];

test('updates only the name when a weekly profile check returns a new one', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'AAPL', 'BRK.B');
  await stage.marketData.registerSymbol('VOD.L');
  await stage.run('market-backfill', { symbol: 'AAPL' });
  const closes = await stage.readCloses('AAPL');
  stage.fake.state.profiles.set('AAPL', {
    ...stage.fake.state.profiles.get('AAPL'),
    companyName: '  Apple \n Worldwide Inc.',
  });
  asked(stage);
  await age(stage, 6);
  await stage.run('market-profiles');
  assert.deepEqual(asked(stage), []);
  await age(stage, 2);
  await stage.run('market-profiles');
  assert.deepEqual(asked(stage), ['AAPL', 'BRK-B'], 'unused listings are skipped');
  assert.deepEqual(await listing(stage, 'AAPL'), {
    name: 'Apple Worldwide Inc.',
    currency: 'USD',
    declared_unit: null,
    current_price: 232.8,
  });
  assert.deepEqual(await stage.readCloses('AAPL'), closes);
  await stage.run('market-profiles');
  assert.deepEqual(asked(stage), []);
});

const PENCE_CLOSES: [string, number][] = [
  ['2026-11-17', 7_150],
  ['2026-11-18', 7_180],
  ['2026-11-19', 7_200],
];
const DOLLAR_CLOSES: [string, number][] = [
  ['2026-11-18', 94.8],
  ['2026-11-19', 95],
];

/** Changes the currency of VOD.L at the provider from pence to dollars. */
function changeCurrency({ fake: { state } }: MarketFixture): void {
  state.profiles.set('VOD.L', { ...state.profiles.get('VOD.L'), currency: 'USD' });
  state.quotes.set('VOD.L', createFmpQuote('VOD.L', 95.2, 95));
  state.candles.set('VOD.L', createFmpCandles('VOD.L', DOLLAR_CLOSES));
}

describe('when a listing has a new currency', () => {
  /** Checks the profile of VOD.L, whose history is stored in pence, after its currency has changed. */
  async function checkChangedProfile(t: TestContext) {
    const stage = await setUpMarketFixture(t);
    stage.fake.state.candles.set('VOD.L', createFmpCandles('VOD.L', PENCE_CLOSES));
    await addToWatchlist(stage, 'VOD.L');
    await stage.run('market-backfill', { symbol: 'VOD.L' });
    assert.deepEqual((await stage.readCloses('VOD.L')).at(-1), ['2026-11-19', 72]);
    await stage.db.owner(`update market.quote_checks set pending_split_date = '2026-11-19', pending_split_close = 18`);
    changeCurrency(stage);
    await age(stage, 8);
    await stage.run('market-profiles');
    return stage;
  }

  test('replaces the price', async (t) => {
    const stage = await checkChangedProfile(t);

    assert.deepEqual(await listing(stage, 'VOD.L'), {
      name: 'Vodafone Group Public Limited Company',
      currency: 'USD',
      declared_unit: null,
      current_price: 95.2,
    });
  });

  test('deletes what was derived from the old currency', async (t) => {
    const stage = await checkChangedProfile(t);

    assert.deepEqual(await stage.readCloses('VOD.L'), []);
    assert.deepEqual(await stage.db.owner('select pending_split_date, pending_split_close from market.quote_checks'), [
      { pending_split_date: null, pending_split_close: null },
    ]);
    assert.deepEqual(await stage.db.owner('select unit from market.declared_units'), []);
  });

  test('fetches the history again', async (t) => {
    const stage = await checkChangedProfile(t);

    const [request] = await stage.db.owner<{ payload: object }>(
      `select payload from graphile_worker._private_jobs where key = 'market-backfill:VOD.L'`,
    );
    await stage.run('market-backfill', request!.payload);

    assert.deepEqual(await stage.readCloses('VOD.L'), DOLLAR_CLOSES);
  });
});

test('discards in-flight figures in the old currency when the currency changes', async (t) => {
  const stage = await setUpMarketFixture(t);
  const gate = await startBarrierServer(stage.fake.url);
  t.onTestFinished(() => gate.close());
  const other = createMarket(stage.db.database, { fmp: { key: FMP_KEY, baseUrl: gate.url } });
  await addToWatchlist(stage, 'VOD.L');
  const oldQuote = stage.fake.state.quotes.get('VOD.L')!;

  const underWay = [other.backfillNow('VOD.L', false), other.refreshNow(['VOD.L'])] as const;
  await eventually(() => gate.count === 2);
  changeCurrency(stage);
  await age(stage, 8);
  await stage.run('market-profiles');
  await stage.run('market-backfill', { symbol: 'VOD.L' });
  stage.fake.state.quotes.set('VOD.L', oldQuote);
  stage.fake.state.candles.set('VOD.L', createFmpCandles('VOD.L', PENCE_CLOSES));
  gate.open();
  const [history, prices] = await Promise.all(underWay);

  assert.deepEqual([history.outcome, prices.written], ['retry_later', 0]);
  const { current_price: price, currency } = (await listing(stage, 'VOD.L'))!;
  assert.deepEqual([price, currency], [95.2, 'USD']);
  assert.deepEqual(await stage.readCloses('VOD.L'), DOLLAR_CLOSES);
  const again = await other.backfillNow('VOD.L', false);
  assert.deepEqual(again, { outcome: 'recently_fetched' }, 'the new history is complete');
});

test('shows no price until a quote in the new currency is stored', async (t) => {
  const stage = await setUpMarketFixture(t);
  const { state } = stage.fake;
  await addToWatchlist(stage, 'AAPL', 'BRK.B');
  state.profiles.set('AAPL', { ...state.profiles.get('AAPL'), currency: null, companyName: null });
  state.profiles.set('BRK-B', { ...state.profiles.get('BRK-B'), currency: 'EUR' });
  state.quotes.delete('BRK-B');
  await stage.db.owner(
    `update public.tracked_tickers_latest set quarantined_at = now(), quarantine_reason = 'of the old price'`,
  );
  await stage.db.owner(
    `update market.quote_checks set split_checked_at = now(), pending_split_date = '2026-11-19', pending_split_close = 240`,
  );
  await age(stage, 8);
  await stage.run('market-profiles');
  assert.deepEqual(await listing(stage, 'AAPL'), {
    name: 'Apple Inc.',
    currency: 'USD',
    declared_unit: null,
    current_price: 232.8,
  });
  const quoteState = await stage.db.owner(
    `select t.symbol, t.quarantine_reason, n.split_checked_at is not null as checked, n.pending_split_close
     from public.tracked_tickers_latest t join market.quote_checks n using (ticker_id) order by 1`,
  );
  assert.deepEqual(quoteState, [
    { symbol: 'AAPL', quarantine_reason: 'of the old price', checked: true, pending_split_close: 240 },
    { symbol: 'BRK.B', quarantine_reason: null, checked: false, pending_split_close: null },
  ]);
  assert.deepEqual(
    [(await listing(stage, 'BRK.B'))!.current_price, (await listing(stage, 'BRK.B'))!.currency],
    [null, 'EUR'],
  );
});

/** Registers nine companies on successive days and adds them to the list of one member. */
async function watchNine({ db }: MarketFixture): Promise<string[]> {
  const symbols = Array.from({ length: 9 }, (_, index) => `S${index}`);
  await db.owner(`insert into public.all_users (idp_id) values ('user_feed')`);
  await db.owner(
    `insert into public.tracked_tickers_latest (symbol, asset_type, currency, registered_at)
     select s.symbol, 'stock', 'USD', now() - (20 - s.place) * interval '1 day'
       from unnest($1::text[]) with ordinality as s (symbol, place)`,
    [symbols],
  );
  await db.owner(
    `insert into public.watchlist_items (idp_id, symbol, position) select 'user_feed', s.symbol, s.place
     from unnest($1::text[]) with ordinality as s (symbol, place)`,
    [symbols],
  );
  return symbols;
}

/** Returns the profile round of a new process at the scheduled time. */
function startProcess({ db, fake }: MarketFixture, more: ProviderSettings = {}) {
  const providers = { fmp: { key: FMP_KEY, baseUrl: fake.url, callsPerMinute: 10_000 }, ...more };
  const marketData = createMarket(db.database, providers, () => new Date('2026-11-20T23:10:00Z'));
  return (payload = {}) =>
    marketData.tasks['market-profiles']!(payload as never, {
      jobId: '1',
      attempt: 1,
      maxAttempts: 1,
      signal: new AbortController().signal,
    });
}

test('checks the longest-waiting listings first, within the spare calls of the day', async (t) => {
  const stage = await setUpMarketFixture(t);
  const symbols = await watchNine(stage);
  const run = startProcess(stage, { fmp: { key: FMP_KEY, baseUrl: stage.fake.url, callsPerDay: 10 } });
  const round = async () => {
    await run();
    return asked(stage);
  };
  assert.deepEqual(await round(), symbols.slice(0, 6));
  assert.deepEqual(
    await stage.db.owner('select from graphile_worker._private_jobs'),
    [],
    'the rest waits until tomorrow',
  );
  await stage.db.owner('delete from market.provider_calls');
  assert.deepEqual(await round(), symbols.slice(6), 'the first ones count as checked although unknown');
});

test('retries a failed profile check the next day, after older entries', async (t) => {
  const stage = await setUpMarketFixture(t);
  await addToWatchlist(stage, 'AAPL', 'BRK.B', 'VOO', 'VTSAX', 'VOD.L');
  await age(stage, 8);
  asked(stage);
  stage.fake.failWith('a server error');
  await stage.run('market-profiles');
  assert.deepEqual(asked(stage), ['AAPL', 'BRK-B', 'VOO'], 'the provider is unavailable');
  stage.fake.failWith(undefined);
  await stage.run('market-profiles');
  assert.deepEqual(asked(stage), ['VTSAX', 'VOD.L'], 'the others are checked next');
  const advance = (hours: number) =>
    stage.db.owner(`update market.quote_checks set profile_checked_at = profile_checked_at - $1 * interval '1 hour'`, [
      hours,
    ]);
  await advance(23);
  await stage.run('market-profiles');
  assert.deepEqual(asked(stage), ['AAPL', 'BRK-B', 'VOO']);
  await advance(23);
  await stage.run('market-profiles');
  assert.deepEqual(asked(stage), [], 'a check is valid for a week');
});

test('pauses after three failures and continues each minute for 15 minutes', async (t) => {
  const stage = await setUpMarketFixture(t);
  const symbols = await watchNine(stage);
  const rest = () => removeJobs(stage);
  stage.fake.failWith('a server error');
  await startProcess(stage)();
  assert.deepEqual([asked(stage), await rest()], [symbols.slice(0, 3), [{ round: 2 }]]);
  await startProcess(stage)({ round: 12 });
  assert.deepEqual([asked(stage), await rest()], [symbols.slice(3, 6), []]);
  stage.fake.failWith(undefined);
  await startProcess(stage)();
  assert.deepEqual([asked(stage), await rest()], [symbols.slice(6), []], 'no symbol is requested twice');
});

test('does not count errors as an outage when responses come between them', async (t) => {
  const stage = await setUpMarketFixture(t);
  const symbols = await watchNine(stage);
  for (const symbol of ['S0', 'S2', 'S4', 'S6']) stage.fake.state.profiles.set(symbol, { symbol: 5 });
  await startProcess(stage)();
  assert.deepEqual(asked(stage), symbols);
});

for (const fault of ['too many requests', 'payment required'] as const) {
  test(`keeps the place of an unchecked listing when the provider returns ${fault}`, async (t) => {
    const stage = await setUpMarketFixture(t);
    const symbols = await watchNine(stage);
    stage.fake.failWith(fault);
    await startProcess(stage)();
    assert.equal(asked(stage)[0], 'S0');
    stage.fake.failWith(undefined);
    await stage.db.owner('delete from market.provider_calls'); // the next minute
    await startProcess(stage)();
    assert.deepEqual(asked(stage), symbols);
  });
}

test('checks profiles only with the first provider when both have keys', async (t) => {
  const stage = await setUpMarketFixture(t);
  const finnhub = await startFinnhubFake();
  t.onTestFinished(() => finnhub.close());
  await addToWatchlist(stage, 'AAPL');
  await age(stage, 8);
  stage.fake.state.profiles.delete('AAPL');
  await startProcess(stage, { finnhub: { key: FINNHUB_KEY, baseUrl: finnhub.url } })();
  assert.deepEqual(
    [asked(stage), finnhub.requests.length, (await listing(stage, 'AAPL'))!.name],
    [['AAPL', 'AAPL'], 0, 'Apple Inc.'],
  );
});
