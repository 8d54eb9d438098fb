import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { recordStatements } from '../../../test/support/statement-log.ts';
import {
  getCompanySymbols,
  disableRollout,
  setUpWatchlistApp,
  type WatchlistApp,
} from '../../../test/support/watchlist.ts';
import { watchedEarnings } from './contract.ts';

let app: WatchlistApp;
setUpWatchlistApp((started) => {
  app = started;
});

describe('POST /api/watchlist', () => {
  test('returns 201 with the item and then requests a backfill, even a failing one', async () => {
    const member = await app.signUp();
    app.market.unavailable.add('backfill');
    const { status, body } = await member.call('POST', '/api/watchlist', { symbol: ' newco ' });
    assert.equal(status, 201);
    assert.deepEqual(
      [body.item.symbol, body.item.position, body.item.locked, body.item.closes],
      ['NEWCO', 1, false, null],
    );
    await eventually(() => app.backfills.includes('NEWCO'));
    app.market.unavailable.clear();
  });

  test('does not wait for the backfill', async () => {
    const member = await app.signUp();
    app.market.pending.add('backfill');
    let status = 0;
    const pendingAdd = member.call('POST', '/api/watchlist', { symbol: 'JPM' }).then((response) => {
      status = response.status;
      return status;
    });
    await eventually(() => status !== 0).finally(() => app.market.pending.delete('backfill'));
    assert.equal(await pendingAdd, 201);
  });

  test('returns no report for a fund that a provider has reports of', async () => {
    const member = await app.signUp();
    const responses = [
      await member.call('POST', '/api/watchlist', { symbol: 'VOO' }),
      await member.call('POST', '/api/watchlist', { symbol: 'AAPL' }),
    ];
    assert.deepEqual(
      responses.map(({ body }) => body.item.next_report),
      [null, { date: '2026-11-19', when: 'amc' }],
    );
  });

  test('returns ALREADY_WATCHED with the existing item', async () => {
    const member = await app.signUp();
    await member.addSymbols('AAPL');
    const { status, body } = await member.call('POST', '/api/watchlist', { symbol: 'aapl' });
    assert.deepEqual([status, body.code, body.item.symbol, body.item.price], [409, 'ALREADY_WATCHED', 'AAPL', 200.5]);
  });

  test('rejects an add at the limit with exactly code, limit and tier', async () => {
    const member = await app.signUp();
    await member.addSymbols(...getCompanySymbols(20));
    const before = app.registered.length;
    const { status, body } = await member.call('POST', '/api/watchlist', { symbol: 'NEW900' });
    assert.deepEqual([status, body], [403, { code: 'WATCHLIST_LIMIT_REACHED', limit: 20, tier: 'free' }]);
    assert.deepEqual(
      [app.registered.length, await app.owner(`select from public.tracked_tickers_latest where symbol = 'NEW900'`)],
      [before, []],
      'nothing is registered for a full list',
    );
    assert.deepEqual(
      (await member.call('POST', '/api/watchlist', { symbol: 'AAA07' })).body.code,
      'ALREADY_WATCHED',
      'a duplicate is reported also at the limit',
    );
  });

  test('rejects unknown symbols, crypto and look-ups during an outage', async () => {
    const member = await app.signUp();
    const errors: [symbol: string, status: number, code: string][] = [
      ['NOSUCH', 404, 'UNKNOWN_SYMBOL'],
      ['АAPL', 404, 'UNKNOWN_SYMBOL'], // begins with a Cyrillic А
      ['mſft', 404, 'UNKNOWN_SYMBOL'], // contains a long s, which Unicode maps to S in upper case
      ["AAPL'; drop table", 404, 'UNKNOWN_SYMBOL'],
      ['BTCUSDT', 422, 'UNSUPPORTED_ASSET'],
    ];
    for (const [symbol, status, code] of errors) {
      const response = await member.call('POST', '/api/watchlist', { symbol });
      assert.deepEqual([response.status, response.body.code], [status, code], symbol);
    }
    app.market.unavailable.add('provider');
    const unavailable = await member.call('POST', '/api/watchlist', { symbol: 'NOSUCH' });
    const existing = await member.call('POST', '/api/watchlist', { symbol: 'AAPL' });
    app.market.unavailable.clear();
    assert.deepEqual(
      [unavailable.status, unavailable.body.code, unavailable.headers.get('retry-after')],
      [503, 'UNAVAILABLE', '5'],
    );
    assert.equal(existing.status, 201, 'a catalog symbol needs no provider');
    const list = await member.call('GET', '/api/watchlist');
    assert.deepEqual(list.body.items, [existing.body.item], 'the list equals the response to the add');
  });

  test('returns a restored row as the list does and reads its data once', async (t) => {
    const member = await app.signUp();
    await member.addSymbols('AAPL', 'VFIAX', 'KO');
    const { items } = (await member.call('GET', '/api/watchlist')).body;
    const statements = recordStatements(t);
    for (const place of [0, 1]) {
      await member.call('DELETE', `/api/watchlist/${items[place].id}`);
      statements.length = 0;
      const { status, body } = await member.call('POST', '/api/watchlist', {
        symbol: items[place].symbol,
        position: place + 1,
      });
      // The second row is a fund and has no closes.
      const reads = place === 0 ? 1 : 0;
      assert.deepEqual([status, statements.filter((text) => text.includes('recent_closes')).length], [201, reads]);
      assert.deepEqual((await member.call('GET', '/api/watchlist')).body.items[place], body.item);
    }
  });

  test('restores a removed row at its old position', async () => {
    const member = await app.signUp();
    await member.addSymbols('AAPL', 'KO', 'JPM');
    const { items } = (await member.call('GET', '/api/watchlist')).body;
    const emptyJson = { 'content-type': 'application/json' }; // Many clients send this header with every request.
    assert.equal((await member.call('DELETE', `/api/watchlist/${items[1].id}`, undefined, emptyJson)).status, 204);
    assert.equal((await member.call('POST', '/api/watchlist', { symbol: 'KO', position: 2 })).body.item.position, 2);
    const { body: after_ } = await member.call('GET', '/api/watchlist');
    assert.deepEqual(
      after_.items.map((item: { symbol: string; position: number }) => `${item.symbol} ${item.position}`),
      ['AAPL 1', 'KO 2', 'JPM 3'],
    );
    assert.equal((await member.call('POST', '/api/watchlist', { symbol: 'XOM', position: 900 })).body.item.position, 4);
  });
});

describe('GET /api/watchlist/ticker/[symbol]', () => {
  test('returns the day, the year and the ranges that the history covers', async () => {
    const member = await app.signUp();
    await member.addSymbols('AAPL', 'YOUNG', 'VFIAX');
    const { status, body } = await member.call('GET', '/api/watchlist/ticker/AAPL');
    assert.equal(status, 200);
    assert.deepEqual(
      [body.open, body.prev_close, body.day_low, body.day_high, body.volume, body.market_cap],
      [199, 198.03, 197.5, 201, 51234567, 3.1e12],
    );
    assert.deepEqual(Object.keys(body.ranges), ['1W', '1M', '3M', '6M', 'YTD', '1Y']);
    assert.deepEqual(
      [body.ranges['1W'][0][0], body.ranges['1M'][0][0], body.ranges['1Y'][0][0]],
      ['2026-11-11', '2026-10-19', '2025-11-18'],
    );
    const closes = body.ranges['1Y'].map(([, close]: [string, number]) => close);
    assert.deepEqual([body.low_52w, body.high_52w], [Math.min(...closes), Math.max(...closes)]);
    assert.deepEqual(body.closes, body.ranges['1Y'].slice(-30));
    assert.deepEqual(body.positions, []);

    const young = (await member.call('GET', '/api/watchlist/ticker/young')).body;
    assert.deepEqual(Object.keys(young.ranges), ['1W'], 'twelve days cover a week and no month');
    const fund = (await member.call('GET', '/api/watchlist/ticker/VFIAX')).body;
    assert.deepEqual([fund.ranges, fund.closes, fund.low_52w, fund.open], [{}, null, null, null]);
  });

  test('requests a backfill only when the year has gaps', async () => {
    const member = await app.signUp();
    await member.addSymbols('YOUNG', 'JPM', 'VFIAX');
    await eventually(() => app.backfills.includes('VFIAX'));
    app.backfills.length = 0;
    for (const symbol of ['JPM', 'VFIAX', 'YOUNG']) await member.call('GET', `/api/watchlist/ticker/${symbol}`);
    await eventually(() => app.backfills.length > 0);
    assert.deepEqual(app.backfills, ['YOUNG']);
  });

  test('requests no backfill when the history cannot be read', async () => {
    const member = await app.signUp();
    app.backfills.length = 0;
    await member.addSymbols('META', 'YOUNG');
    await eventually(() => app.backfills.includes('META') && app.backfills.includes('YOUNG'));
    app.backfills.length = 0;
    await app.owner('revoke select on public.tracked_tickers_historical from service_role');
    const { body } = await member
      .call('GET', '/api/watchlist/ticker/META')
      .finally(() => app.owner('grant select on public.tracked_tickers_historical to service_role'));
    assert.equal(body.history, 'unavailable');
    await member.call('GET', '/api/watchlist/ticker/YOUNG');
    await eventually(() => app.backfills.length > 0);
    assert.deepEqual(app.backfills, ['YOUNG']);
  });

  test('returns 404 for an unwatched symbol that another member watches', async () => {
    const member = await app.signUp();
    const other = await app.signUp();
    await other.addSymbols('KO');
    for (const symbol of ['KO', 'NOSUCH', '%20', 'a%00b', '..%2F..', 'x'.repeat(150)]) {
      const { status, body } = await member.call('GET', `/api/watchlist/ticker/${symbol}`);
      assert.deepEqual([status, body.code], [404, 'NOT_FOUND'], symbol);
    }
  });

  test('accepts symbols with every valid character', async () => {
    const member = await app.signUp();
    for (const symbol of ['BRK.B', 'BF-B', 'A^B', 'BRK/A', 'RY=F']) {
      await member.addSymbols(symbol);
      const { status, body } = await member.call('GET', `/api/watchlist/ticker/${encodeURIComponent(symbol)}`);
      assert.deepEqual([status, body.symbol], [200, symbol]);
    }
  });
});

describe('GET /api/watchlist/earnings', () => {
  /** Signs up a member who holds KO and watches companies with reports and a fund. */
  async function signUpWithReports() {
    const member = await app.signUp();
    await app.owner(
      `with a as (insert into public.accounts (idp_id, name) values ($1, 'Broker') returning id)
      insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity) select $1, a.id, 'KO', 3 from a`,
      [member.idpId],
    );
    await member.addSymbols('KO', 'MSFT', 'VOO', 'AAPL', 'XOM', 'NVDA', 'AMZN');
    return member;
  }

  test('returns stock reports of the next 90 days by date, in market days', async () => {
    const member = await signUpWithReports();

    const { status, body } = await member.call('GET', '/api/watchlist/earnings');

    assert.equal(status, 200);
    watchedEarnings.parse(body);
    assert.deepEqual(
      body.earnings.map((it: Record<string, unknown>) => [it.symbol, it.date, it.market_days, it.chip, it.held]),
      [
        ['AAPL', '2026-11-19', 1, 'Tmrw', false],
        ['MSFT', '2026-11-27', 6, null, false], // Thanksgiving is no market day.
        ['AMZN', '2026-12-02', 9, null, false], // Two reports of one day are sorted by symbol.
        ['NVDA', '2026-12-02', 9, null, false],
        ['KO', '2027-02-16', 59, null, true], // This is the 90th day. XOM reports on the 91st, and VOO is not a company.
      ],
    );
    assert.ok(body.earnings.every(({ watching }: { watching: boolean }) => watching));
    assert.equal(body.complete, true);
  });

  test('returns all fields of a report', async () => {
    const member = await signUpWithReports();

    const [apple, microsoft] = (await member.call('GET', '/api/watchlist/earnings')).body.earnings;

    const { market_days: _days, chip: _chip, held: _held, watching: _watching, ...report } = apple;
    assert.deepEqual(report, {
      symbol: 'AAPL',
      name: 'AAPL Inc.',
      date: '2026-11-19',
      when: 'amc',
      eps_estimate: 1.61,
      eps_currency: null,
      estimated: false,
      sample: false,
    });
    assert.deepEqual([microsoft.when, microsoft.estimated], [null, true]);
  });

  test('says that reports are incomplete when the market data is unavailable', async () => {
    const member = await signUpWithReports();
    app.market.unavailable.add('earnings');

    const { body } = await member.call('GET', '/api/watchlist/earnings');

    app.market.unavailable.clear();
    assert.equal(body.complete, false);
  });
});

describe('watched symbols for other cards', () => {
  test('returns symbols in order, with or without locked rows, only in the rollout', async () => {
    const member = await app.signUp('pro');
    await member.addSymbols(...getCompanySymbols(21));
    await app.billing.setTier(member.idpId, 'free');
    const memberContext = { idpId: member.idpId, sessionId: 's', isSampleUser: false };
    assert.equal((await app.feature.listWatchedSymbols(memberContext, { includeLocked: false }))?.length, 20);
    assert.equal((await app.feature.listWatchedSymbols(memberContext, { includeLocked: true }))?.at(-1), 'AAA21');
    await disableRollout(app, member.idpId);
    assert.equal(await app.feature.listWatchedSymbols(memberContext, { includeLocked: true }), undefined);
  });
});
