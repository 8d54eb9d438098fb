import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import {
  getCompanySymbols,
  type TestMember,
  setUpWatchlistApp,
  type WatchlistApp,
} from '../../../test/support/watchlist.ts';
import { watchlist } from './contract.ts';

let app: WatchlistApp;
setUpWatchlistApp((started) => {
  app = started;
});

/** The row of AAPL, without its id, times and closes. */
const APPLE_ROW = {
  symbol: 'AAPL',
  position: 1,
  asset_type: 'stock',
  name: 'AAPL Inc.',
  exchange: 'NASDAQ',
  logo: null,
  currency: 'USD',
  price_unit: 'currency',
  held: false,
  locked: false,
  next_report: { date: '2026-11-19', when: 'amc' },
  price: 200.5,
  change_1d: 1.25,
  change_amount: 2.47,
  prev_close: 198.03,
  market_cap: 3.1e12,
  volume: 51_234_567,
  price_at: '2026-11-18T20:15:00.000Z',
  delayed_minutes: 15,
  sample: false,
};

describe('GET /api/watchlist', () => {
  /** Signs up a member whose list has a row of each asset type and one without a name. */
  async function signUpWithEachType() {
    const member = await app.signUp('pro');
    await member.addSymbols('AAPL', 'VOO', 'VFIAX', 'US912810TM09', 'NONAME');
    return member;
  }

  test('returns rows in saved order with the limits of the plan and the market’s state', async () => {
    const member = await signUpWithEachType();

    const { status, body, headers } = await member.call('GET', '/api/watchlist');

    assert.equal(status, 200);
    assert.match(headers.get('content-type')!, /^application\/json/);
    const list = watchlist.parse(body);
    assert.deepEqual(
      [list.tier, list.limit, list.item_count, list.locked_count, list.history],
      ['pro', 100, 5, 0, 'ok'],
    );
    assert.deepEqual(
      list.items.map(({ symbol, position }) => `${symbol} ${position}`),
      ['AAPL 1', 'VOO 2', 'VFIAX 3', 'US912810TM09 4', 'NONAME 5'],
    );
    assert.deepEqual(list.market, {
      session: 'open',
      next_change_at: '2026-11-18T21:00:00.000Z',
      session_valid_seconds: 60,
      newest_price_at: '2026-11-18T20:15:00.000Z',
    });
  });

  test('returns all fields of the contract in a row', async () => {
    const member = await signUpWithEachType();

    const [apple] = (await member.call('GET', '/api/watchlist')).body.items;

    const { id, created_at, updated_at, closes, ...rest } = apple;
    assert.ok(id && created_at && updated_at);
    assert.deepEqual(rest, APPLE_ROW);
    assert.equal(closes.length, 30);
    assert.deepEqual(closes.at(-1), ['2026-11-17', 132.1]);
    assert.ok(closes.every(([day]: [string], at: number) => at === 0 || day > closes[at - 1][0]));
  });

  test('returns null where an asset type has no figure', async () => {
    const member = await signUpWithEachType();

    const [, etf, fund, bond, nameless] = (await member.call('GET', '/api/watchlist')).body.items;

    assert.deepEqual([etf.sample, etf.closes.length, etf.next_report], [true, 30, null]);
    assert.deepEqual([fund.price, fund.change_1d, fund.closes], [540.12, null, null]);
    assert.deepEqual([bond.price, bond.price_unit, bond.closes], [98.125, 'percent_of_par', null]);
    assert.deepEqual(
      [nameless.name, nameless.price, nameless.change_1d, nameless.closes, nameless.sample],
      [null, null, null, null, false],
    );
  });

  test('returns stored closes that equal the history', async () => {
    const member = await app.signUp();
    await member.addSymbols('MSFT');
    const [fromHistory] = (await member.call('GET', '/api/watchlist')).body.items;
    await app.owner(
      `insert into market.recent_closes (ticker_id, closes, closes_to)
      select ticker_id, $1::json, '2026-11-17' from public.tracked_tickers_latest where symbol = 'MSFT'`,
      [JSON.stringify(fromHistory.closes)],
    );
    await app.owner(
      `delete from public.tracked_tickers_historical h using public.tracked_tickers_latest t
       where t.ticker_id = h.ticker_id and t.symbol = 'MSFT'`,
    );
    assert.deepEqual((await member.call('GET', '/api/watchlist')).body.items[0].closes, fromHistory.closes);
  });

  test('returns 304 for the ETag of an unchanged list and 200 after a change', async () => {
    const member = await app.signUp();
    await member.addSymbols('AAPL');
    const first = await member.call('GET', '/api/watchlist');
    const etag = first.headers.get('etag')!;
    assert.ok(etag);
    for (const ifNoneMatch of [etag, `"older", W/${etag}`]) {
      const revalidation = await fetch(`${app.url}/api/watchlist`, {
        headers: { authorization: `Bearer ${member.token}`, 'if-none-match': ifNoneMatch },
      });
      assert.deepEqual([revalidation.status, await revalidation.text()], [304, ''], ifNoneMatch);
    }
    await member.addSymbols('KO');
    assert.equal((await member.call('GET', '/api/watchlist', undefined, { 'if-none-match': etag })).status, 200);
  });

  test('returns closes with gaps, null for funds, and no key for locked rows', async () => {
    const member = await app.signUp('pro');
    await member.addSymbols(...getCompanySymbols(18), 'AAPL', 'YOUNG', 'VFIAX', 'NONAME', 'KO');
    await app.owner(
      `delete from public.tracked_tickers_historical h using public.tracked_tickers_latest t
        where t.ticker_id = h.ticker_id and t.symbol = 'AAA07' and h.d in ('2026-11-12', '2026-11-17')`,
    );
    const ids = (await member.getWatchlist()).items.map(({ id }) => id);
    await member.call('PUT', '/api/watchlist/order', { ids: ids.toReversed() });
    await app.billing.setTier(member.idpId, 'free');
    const { body } = await member.call('GET', '/api/watchlist');
    const list = watchlist.parse(body);
    assert.deepEqual(body, list, 'no field outside the contract');
    const days = new Map(
      list.items.map((item) => [item.symbol, item.locked ? 'closes' in item : (item.closes?.length ?? null)]),
    );
    assert.deepEqual(
      ['KO', 'NONAME', 'VFIAX', 'YOUNG', 'AAA07', 'AAA03'].map((symbol) => days.get(symbol)),
      [30, null, null, 11, 4, false],
    );
  });

  test('marks only the caller’s own holdings as held', async () => {
    const owner = await app.signUp();
    const other = await app.signUp();
    await app.owner(
      `with a as (insert into public.accounts (idp_id, name) values ($1, 'Broker') returning id)
      insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity) select $1, a.id, 'KO', 3 from a`,
      [owner.idpId],
    );
    for (const member of [owner, other]) {
      const added = await member.call('POST', '/api/watchlist', { symbol: 'KO' });
      assert.deepEqual([added.status, added.body.item.held], [201, member === owner], 'also in the response to an add');
      await member.addSymbols('JPM');
    }
    const listHeld = async (member: TestMember) => (await member.getWatchlist()).items.map((item) => item.held);
    assert.deepEqual(
      [await listHeld(owner), await listHeld(other)],
      [
        [true, false],
        [false, false],
      ],
    );
  });

  test('returns rows when reports or market status are unavailable', async () => {
    const member = await app.signUp();
    await member.addSymbols('AAPL');
    app.market.unavailable.add('status').add('reports');
    const { status, body } = await member.call('GET', '/api/watchlist');
    app.market.unavailable.clear();
    assert.deepEqual([status, body.market, body.items[0].next_report, body.items[0].price], [200, null, null, 200.5]);
  });
});
