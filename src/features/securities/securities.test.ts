import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { SECRET_KEY, SITE, sendRequest, TestBrowser } from '../../../test/support/identity.ts';
import { assertDocumented } from '../../../test/support/documented-responses.ts';
import { startService, type TestService } from '../../../test/support/service.ts';
import { recordStatements } from '../../../test/support/statement-log.ts';
import type { Security, ShownSecurity } from './contract.ts';

/** Tests the feature with its real dependencies: simulator, watchlist, plans, flags and portfolio. */
let service: TestService;
beforeAll(async () => {
  service = await startService({
    BASE_URL: SITE,
    API_RATE_LIMIT: '100000',
    IDP_SECRET_KEY: SECRET_KEY,
    WORKER: 'off',
  });
});
afterAll(() => service.stop());

async function signIn(tier: 'free' | 'pro' | 'max') {
  const { email, password, idp_user_id: idpId } = service.firstRun.members.find((member) => member.tier === tier)!;
  const browser = new TestBrowser(service.url);
  const { body } = await browser.call('POST', '/client/sign_ins', { identifier: email, password });
  const authorization = `Bearer ${await browser.token(body.response.created_session_id)}`;
  const get = async (symbol: string, headers: Record<string, string> = {}) => {
    const path = `/api/securities/${encodeURIComponent(symbol)}`;
    const response = await sendRequest(`${service.url}${path}`, 'GET', undefined, { authorization, ...headers });
    assertDocumented('GET', path, response, headers);
    return response;
  };
  return { idpId, get };
}

/** Replaces a member's watchlist. Rows past the plan's limit are locked. */
async function replaceWatchlist(idpId: string, symbols: readonly string[]): Promise<void> {
  await service.database.owner('delete from public.watchlist_items where idp_id = $1', [idpId]);
  await service.database.owner(
    `insert into public.watchlist_items (idp_id, symbol, position)
     select $1, s.symbol, s.position from unnest($2::text[]) with ordinality as s (symbol, position)`,
    [idpId, symbols],
  );
}

/** Returns 20 symbols, which fill a Free list, that the tests use for nothing else. */
async function listFillers(): Promise<string[]> {
  const rows = await service.database.owner<{ symbol: string }>(
    `select t.symbol from public.tracked_tickers_latest t
      where t.asset_type = 'etf' order by t.symbol limit 20`,
  );
  return rows.map(({ symbol }) => symbol);
}

const removeHoldings = (idpId: string, symbol: string) =>
  service.database.owner('delete from public.manual_public_holdings where idp_id = $1 and symbol = $2', [
    idpId,
    symbol,
  ]);

test('returns all that is known of a security when it is neither held nor watched', async () => {
  const { idpId, get } = await signIn('max');
  await replaceWatchlist(idpId, []);
  await removeHoldings(idpId, 'KO');
  let response = await get('KO');
  // On a busy machine a part may be late.
  while ((response.body as ShownSecurity).pending.length > 0) response = await get('KO');
  const { status, body, headers } = response;
  const security = body as ShownSecurity;
  assert.deepEqual([status, headers.get('cache-control')], [200, 'private, no-cache']);
  assert.deepEqual(
    [security.symbol, security.watched, security.held, security.locked, security.position],
    ['KO', false, false, false, null],
  );
  assert.ok(security.price! > 0 && security.volume! > 0 && security.dividend_yield !== null);
  assert.match(security.about.description!, /^A made-up description of /);
  assert.ok(security.news.length > 0 && security.news.every(({ url }) => /^https?:/.test(url)));
  assert.ok(security.next_report !== null && security.next_report.eps_estimate !== null);
  assert.equal(security.next_report.eps_currency, 'USD');
  assert.deepEqual(security.unavailable, []);
});

test('returns the watched state with the position and its gain', async () => {
  const { idpId, get } = await signIn('pro');
  const [held] = await service.database.owner<{ symbol: string; quantity: number }>(
    `select symbol, sum(quantity)::float8 as quantity from public.manual_public_holdings
      where idp_id = $1 and cost_basis is not null group by symbol order by symbol limit 1`,
    [idpId],
  );
  await replaceWatchlist(idpId, [held!.symbol]);
  const { position, watched, held: isHeld } = (await get(held!.symbol)).body as ShownSecurity;
  assert.deepEqual([watched, isHeld, position!.quantity], [true, true, held!.quantity]);
  assert.equal(position!.gain!.amount.toFixed(4), (position!.value! - position!.cost_basis!).toFixed(4));
});

test('omits a P/E for funds, and chart, reports and news for bonds', async () => {
  const { get } = await signIn('max');
  const fund = (await get('VFIAX')).body as ShownSecurity;
  assert.deepEqual([fund.pe_ratio, fund.next_report, fund.ranges], [null, null, {}]);
  assert.ok(fund.dividend_yield! > 0);
  const bond = (await get('91282CJZ5')).body as ShownSecurity;
  assert.deepEqual(
    [bond.price_unit, bond.pe_ratio, bond.dividend_yield, bond.ranges, bond.news, bond.pending, bond.unavailable],
    ['percent_of_par', null, null, {}, [], [], []],
  );
});

/** Keys of a locked security. Everything beyond the identity would be market data. */
const LOCKED_KEYS = 'asset_type currency exchange held locked logo name price_unit symbol watched';

test('returns only the identity when a symbol in any spelling is locked and not held', async () => {
  const { idpId, get } = await signIn('free');
  for (const symbol of ['AAPL', 'BRK.B', 'META']) await removeHoldings(idpId, symbol);
  await replaceWatchlist(idpId, [...(await listFillers()), 'AAPL', 'BRK.B', 'META']);
  const [price] = await service.database.owner<{ current_price: number; volume: number }>(
    `select current_price, volume::float8 as volume from public.tracked_tickers_latest where symbol = 'AAPL'`,
  );
  const spellings = {
    AAPL: ['AAPL', 'aapl', ' AAPL ', '$AAPL', 'NASDAQ:AAPL', 'AAPL.O', 'US0378331005', 'ＡＡＰＬ', 'AAPL\u200b'],
    'BRK.B': ['BRK.B', 'BRK-B', 'brk/b', 'BRKB', 'BRK B', 'US0846707026'],
    META: ['META', 'FB'],
  };
  let resolvedCount = 0;
  for (const [symbol, texts] of Object.entries(spellings))
    for (const text of texts)
      for (const headers of [{}, { 'x-demo-tour': '1' }]) {
        const { status, body } = await get(text, headers);
        // A spelling that is refused leaks nothing either.
        if (status === 400 || status === 404) continue;
        resolvedCount += 1;
        assert.deepEqual([status, body.symbol, body.locked], [200, symbol, true], text);
        assert.equal(Object.keys(body).sort().join(' '), LOCKED_KEYS, text);
        const sent = JSON.stringify(body);
        assert.ok(!sent.includes(String(price!.current_price)) && !sent.includes(String(price!.volume)), text);
      }
  assert.ok(resolvedCount >= 20, `${resolvedCount} spellings were resolved`);
});

test('shows a locked symbol in full when the member holds it', async () => {
  const { idpId, get } = await signIn('free');
  const [held] = await service.database.owner<{ symbol: string }>(
    'select symbol from public.manual_public_holdings where idp_id = $1 order by symbol limit 1',
    [idpId],
  );
  const fillers = (await listFillers()).filter((symbol) => symbol !== held!.symbol);
  await replaceWatchlist(idpId, [...fillers, 'T', held!.symbol]);
  const { body } = await get(held!.symbol);
  const security = body as ShownSecurity;
  assert.deepEqual([security.locked, security.held, security.watched], [false, true, true]);
  assert.ok(security.price! > 0 && security.position !== null);
});

test('runs no query of the watchlist and omits the watched key when the rollout is off', async (t) => {
  const { idpId, get } = await signIn('free');
  await replaceWatchlist(idpId, [...(await listFillers()), 'AAPL']);
  await service.database.owner(
    `insert into public.feature_flag_members (flag, idp_id, enabled) values ('dashboard-watchlist-v01', $1, false)`,
    [idpId],
  );
  await eventually(async () => !('watched' in (await get('KO')).body));
  const statements = recordStatements(t);
  const { status, body } = await get('AAPL');
  assert.deepEqual([status, 'watched' in body, body.locked], [200, false, false]);
  assert.ok(statements.some((text) => text.includes('tracked_tickers_latest')));
  assert.deepEqual(
    statements.filter((text) => text.includes('watchlist_items')),
    [],
  );
  await service.database.owner('delete from public.feature_flag_members where idp_id = $1', [idpId]);
  await eventually(async () => 'watched' in (await get('KO')).body);
});

test('returns 503 when the tier is unavailable and the symbol is not held', async () => {
  const { idpId, get } = await signIn('free');
  const [held] = await service.database.owner<{ symbol: string }>(
    'select symbol from public.manual_public_holdings where idp_id = $1 order by symbol limit 1',
    [idpId],
  );
  await removeHoldings(idpId, 'AAPL');
  await replaceWatchlist(idpId, [...(await listFillers()), 'AAPL']);
  await service.database.owner('alter table public.watchlist_items rename to hidden_items');
  try {
    const { status, body, headers } = await get('AAPL');
    assert.deepEqual([status, body.code, headers.get('retry-after')], [503, 'TIER_UNAVAILABLE', '5']);
    if (held!.symbol !== 'AAPL') {
      const shown = (await get(held!.symbol)).body as Security;
      assert.deepEqual([shown.locked, shown.held, 'watched' in shown], [false, true, false]);
    }
  } finally {
    await service.database.owner('alter table public.hidden_items rename to watchlist_items');
  }
});

test('refuses a symbol when it is unknown or malformed', async () => {
  const { get } = await signIn('max');
  const refusals: [text: string, status: number, code: string][] = [
    ['ZZZZZQ', 404, 'UNKNOWN_SYMBOL'],
    ['BTC-USD', 422, 'UNSUPPORTED_ASSET'],
    ['%', 404, 'UNKNOWN_SYMBOL'],
    ["' or 1=1--", 404, 'UNKNOWN_SYMBOL'],
    ['A'.repeat(65), 400, 'INVALID_REQUEST'],
    ['A\nB', 400, 'INVALID_REQUEST'],
  ];
  for (const [text, status, code] of refusals) {
    const { status: actual, body } = await get(text);
    assert.deepEqual([actual, body.code], [status, code], text);
  }
  const written = await sendRequest(`${service.url}/api/securities/AAPL`, 'DELETE');
  assert.deepEqual([written.status, written.headers.get('allow')], [405, 'GET, HEAD']);
});
