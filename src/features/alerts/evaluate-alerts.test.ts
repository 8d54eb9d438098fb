import assert from 'node:assert/strict';
import { test, type TestContext } from 'vitest';
import { createFmpCandles, createFmpQuote } from '../../../test/fakes/fmp/fmp-fake.ts';
import { addToWatchlist, type MarketFixture, setUpMarketFixture } from '../../../test/support/market-fixture.ts';
import { eventuallyEquals } from '../../../test/support/eventually.ts';
import { deleteMember } from '../../platform/identity/delete-member.ts';
import { createAlertEvaluator } from './evaluate-alerts.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { deleteMemberAlerts, dropPendingMail, markMailed, markRead } from './queries.ts';

const at = (time: string) => ({ timestamp: Date.parse(time) / 1_000 });

/** A price that a refresh has stored. */
const PRICE = {
  symbol: 'AAPL',
  price: 106,
  change_1d: 6,
  price_at: '2026-11-20T15:15:00Z',
  day: '2026-11-20',
  delayed_minutes: 0,
  sample: false,
};

interface Terms {
  kind?: 'above' | 'below' | 'move';
  threshold: number;
  repeats?: 'once' | 'daily';
  symbol?: string;
  idpId?: string;
}

/** Market data with an alert evaluator, and AAPL at 100 at 10:00 in New York on Friday, 2026-11-20. */
async function setUp(t: TestContext) {
  const captured: unknown[] = [];
  const evaluate = createAlertEvaluator({
    sendsMail: true,
    capture: (idpId, event, properties) => {
      captured.push([idpId, event, properties]);
    },
  });
  const stage = await setUpMarketFixture(t, 10_000, evaluate);
  const setQuote = (price: number, time: string, prevClose = 100): void => {
    stage.fake.state.quotes.set('AAPL', createFmpQuote('AAPL', price, prevClose, at(time)));
  };
  const refresh = async (price: number, time: string, { prevClose = 100, now = time } = {}): Promise<string[]> => {
    stage.setTime(now);
    setQuote(price, time, prevClose);
    await stage.run('market-refresh', { always: true });
    return listFired(stage);
  };
  stage.setTime('2026-11-20T15:00:00Z');
  setQuote(100, '2026-11-20T15:00:00Z');
  await addToWatchlist(stage, 'AAPL');
  await stage.db.owner(`insert into public.all_users (idp_id) values ('user_ada')`);
  return { stage, refresh, captured, setQuote };
}

async function addAlert(stage: MarketFixture, terms: Terms): Promise<string> {
  const { kind = 'above', threshold, repeats = 'once', symbol = 'AAPL', idpId = 'user_ada' } = terms;
  const [row] = await stage.db.owner<{ id: string }>(`select public.add_alert($1, $2, $3, $4, $5, null) as id`, [
    idpId,
    symbol,
    kind,
    threshold,
    repeats,
  ]);
  return row!.id;
}

/** Returns the fired alerts as `kind threshold at price`, in order. */
const listFired = async ({ db }: Pick<MarketFixture, 'db'>): Promise<string[]> =>
  (
    await db.owner<{ line: string }>(
      `select concat(kind, ' ', threshold, ' at ', price) as line from public.fired_alerts order by fired_at, kind, threshold`,
    )
  ).map(({ line }) => line);

const listWaiting = async ({ db }: Pick<MarketFixture, 'db'>): Promise<string[]> =>
  (await db.owner<{ line: string }>(`select concat(kind, ' ', threshold) as line from public.alerts order by 1`)).map(
    ({ line }) => line,
  );

async function countLockWaiters({ db }: Pick<MarketFixture, 'db'>): Promise<number> {
  const [row] = await db.owner<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row!.count;
}

test('fires at a price of exactly the threshold and at no other, once', async (t) => {
  const { stage, refresh, captured } = await setUp(t);
  await addAlert(stage, { threshold: 105 });
  await addAlert(stage, { kind: 'below', threshold: 95 });

  assert.deepEqual(await refresh(104.99, '2026-11-20T15:15:00Z'), []);
  assert.deepEqual(await refresh(105, '2026-11-20T15:30:00Z'), ['above 105 at 105']);
  assert.deepEqual(await refresh(106, '2026-11-20T15:45:00Z'), ['above 105 at 105']);
  assert.deepEqual(await refresh(95, '2026-11-20T16:00:00Z'), ['above 105 at 105', 'below 95 at 95']);
  assert.deepEqual(await listWaiting(stage), []);
  assert.deepEqual(captured, [
    ['user_ada', 'alert_fired', { symbol: 'AAPL', kind: 'above' }],
    ['user_ada', 'alert_fired', { symbol: 'AAPL', kind: 'below' }],
  ]);
});

test("fires at a day's move in either direction", async (t) => {
  const { stage, refresh } = await setUp(t);
  await addAlert(stage, { kind: 'move', threshold: 5, repeats: 'daily' });

  assert.deepEqual(await refresh(104.9, '2026-11-20T15:15:00Z'), []);
  assert.deepEqual(await refresh(94.9, '2026-11-20T15:30:00Z'), ['move 5 at 94.9']);
});

test('fires a daily alert once on each trading day', async (t) => {
  const { stage, refresh } = await setUp(t);
  await addAlert(stage, { threshold: 105, repeats: 'daily' });

  assert.equal((await refresh(106, '2026-11-20T15:15:00Z')).length, 1);
  assert.equal((await refresh(107, '2026-11-20T15:30:00Z')).length, 1);
  assert.equal((await refresh(107, '2026-11-23T15:30:00Z', { prevClose: 107 })).length, 2);
  assert.deepEqual(await listWaiting(stage), ['above 105']);
});

test('fires a daily alert once in a session that spans midnight in UTC', async (t) => {
  const { stage } = await setUp(t);
  await stage.db.owner(
    `insert into public.tracked_tickers_latest (symbol, asset_type, exchange, currency) values ('BHP.AX', 'stock', 'ASX', 'AUD')`,
  );
  await addAlert(stage, { symbol: 'BHP.AX', threshold: 40, repeats: 'daily' });
  const refresh = async (price: number, time: string): Promise<number> => {
    stage.setTime(time);
    stage.fake.state.quotes.set('BHP.AX', createFmpQuote('BHP.AX', price, 40, at(time)));
    await stage.run('market-refresh', { always: true });
    return (await listFired(stage)).length;
  };

  assert.equal(await refresh(41, '2026-11-19T23:30:00Z'), 1, 'Friday, half past ten in Sydney');
  assert.equal(await refresh(42, '2026-11-20T00:30:00Z'), 1, 'half past eleven');
  assert.equal(await refresh(43, '2026-11-20T05:00:00Z'), 1, 'the close');
  assert.equal(await refresh(42, '2026-11-22T23:30:00Z'), 2, 'Monday');
});

test('never fires at a price that is late, or the same again', async (t) => {
  const { stage, refresh } = await setUp(t);
  await refresh(106, '2026-11-20T15:30:00Z');
  await addAlert(stage, { threshold: 105 });

  assert.deepEqual(await refresh(107, '2026-11-20T15:20:00Z', { now: '2026-11-20T15:40:00Z' }), [], 'late');
  assert.deepEqual(await refresh(106, '2026-11-20T15:30:00Z', { now: '2026-11-20T15:45:00Z' }), [], 'the same');
  assert.deepEqual(await refresh(106, '2026-11-20T15:45:00Z'), ['above 105 at 106'], 'the next one');
});

test('fires at no price from outside the regular hours, and catches up with the last price of the day', async (t) => {
  const { stage, refresh } = await setUp(t);
  await addAlert(stage, { threshold: 105 });

  assert.deepEqual(await refresh(106, '2026-11-20T21:30:00Z'), [], 'after hours');
  assert.deepEqual(await refresh(106, '2026-11-21T16:00:00Z'), [], 'on a Saturday');
  assert.deepEqual(await refresh(106, '2026-11-27T18:30:00Z'), [], 'after a half day');
  const now = '2026-12-01T02:00:00Z';
  assert.deepEqual(await refresh(106, '2026-11-30T21:00:01Z', { now }), ['above 105 at 106'], 'the close of the day');
});

test('evaluates prices while the market is closed when they are of its session', async (t) => {
  const { stage, refresh } = await setUp(t);
  await addAlert(stage, { threshold: 105 });
  const now = '2026-11-21T16:00:00Z';

  assert.deepEqual(await refresh(106, '2026-11-20T21:00:00Z', { now }), ['above 105 at 106']);
});

test('leaves the alert of a row waiting that the plan locks', async (t) => {
  const { stage, refresh } = await setUp(t);
  await addAlert(stage, { threshold: 105, idpId: 'user_feed' });
  await stage.db.owner(`update public.watchlist_items set position = 500 where idp_id = 'user_feed'`);
  await stage.db.owner(
    `with made as (insert into public.tracked_tickers_latest (symbol, asset_type)
        select 'L' || n, 'stock' from generate_series(1, 20) n returning symbol)
     insert into public.watchlist_items (idp_id, symbol, position)
       select 'user_feed', symbol, row_number() over () from made`,
  );

  assert.deepEqual(await refresh(106, '2026-11-20T15:15:00Z'), []);
  await assert.rejects(addAlert(stage, { threshold: 105, idpId: 'user_feed' }), /alert_symbol_locked/);
  await stage.db.owner(`delete from public.watchlist_items where symbol like 'L%'`);
  assert.deepEqual(await refresh(106, '2026-11-20T15:30:00Z'), ['above 105 at 106']);
});

test('fires at the next price after the provider had none for a while', async (t) => {
  const { stage, refresh } = await setUp(t);
  await addAlert(stage, { threshold: 105 });
  stage.fake.state.quotes.delete('AAPL');
  stage.setTime('2026-11-20T15:15:00Z');
  await stage.run('market-refresh', { always: true });
  assert.deepEqual(await listWaiting(stage), ['above 105']);

  assert.deepEqual(await refresh(106, '2026-11-20T15:30:00Z'), ['above 105 at 106']);
});

test('fires the alert of a ticker that no watchlist has any more', async (t) => {
  const { stage, refresh } = await setUp(t);
  await addAlert(stage, { threshold: 105 });
  await stage.db.owner(`delete from public.watchlist_items where symbol = 'AAPL'`);

  assert.deepEqual(await refresh(106, '2026-11-20T15:15:00Z'), ['above 105 at 106']);
});

const CLOSES: [string, number][] = [
  ['2026-11-17', 101],
  ['2026-11-18', 102],
  ['2026-11-19', 100],
];

for (const [name, prevClose] of [
  ['the previous close is adjusted', 50],
  ['only the split feed knows', 100],
] as const)
  test(`adjusts a price once for a split when ${name}`, async (t) => {
    const { stage, refresh } = await setUp(t);
    // The alerts are of the evening before the split.
    await stage.db.owner(
      `update public.tracked_tickers_latest set price_at = '2026-11-19T21:00:00Z', current_price = 100`,
    );
    stage.fake.state.candles.set('AAPL', createFmpCandles('AAPL', CLOSES));
    await stage.run('market-backfill', { symbol: 'AAPL' });
    stage.fake.state.splits.set('AAPL', [{ symbol: 'AAPL', date: '2026-11-20', numerator: 2, denominator: 1 }]);
    for (const [kind, threshold] of [
      ['above', 110],
      ['below', 90],
      ['move', 10],
    ] as const)
      await addAlert(stage, { kind, threshold });

    assert.deepEqual(await refresh(51, '2026-11-20T15:15:00Z', { prevClose }), []);
    assert.deepEqual(await listWaiting(stage), ['above 55', 'below 45', 'move 10']);
    assert.deepEqual(await refresh(52, '2026-11-20T15:30:00Z', { prevClose }), []);
    assert.deepEqual(await listWaiting(stage), ['above 55', 'below 45', 'move 10'], 'not a second time');
    // The provider's history is adjusted in between.
    const adjusted = CLOSES.map(([day, close]): [string, number] => [day, close / 2]);
    stage.fake.state.candles.set('AAPL', createFmpCandles('AAPL', adjusted));
    await stage.run('market-backfill', { symbol: 'AAPL' });
    assert.deepEqual(await refresh(51, '2026-11-20T15:40:00Z', { prevClose }), []);
    assert.deepEqual(await refresh(44, '2026-11-20T15:45:00Z', { prevClose }), ['below 45 at 44', 'move 10 at 44']);
  });

test('adjusts alerts for a split when the first price after it is of the day before or from before the open', async (t) => {
  for (const time of ['2026-11-19T21:00:00Z', '2026-11-20T13:00:00Z']) {
    const { stage, refresh } = await setUp(t);
    await stage.db.owner(
      `update public.tracked_tickers_latest set price_at = '2026-11-19T21:00:00Z', current_price = 100`,
    );
    stage.fake.state.candles.set('AAPL', createFmpCandles('AAPL', CLOSES));
    await stage.run('market-backfill', { symbol: 'AAPL' });
    await addAlert(stage, { kind: 'below', threshold: 90 });

    assert.deepEqual(await refresh(51, time, { prevClose: 50, now: '2026-11-20T13:00:00Z' }), []);
    assert.deepEqual(await refresh(51, '2026-11-20T15:15:00Z', { prevClose: 50 }), []);
    assert.deepEqual(await listWaiting(stage), ['below 45'], time);
  }
});

for (const [market, symbol, exchange, currency, times] of [
  ['Tokyo', '7203.T', 'JPX', 'JPY', ['2026-11-20T00:30:00Z', '2026-11-20T01:00:00Z', '2026-11-20T01:30:00Z']],
  ['Sydney', 'BHP.AX', 'ASX', 'AUD', ['2026-11-19T23:30:00Z', '2026-11-20T00:30:00Z', '2026-11-20T01:00:00Z']],
] as const)
  test(`adjusts only the alerts from before a split when it was in ${market}`, async (t) => {
    const { stage } = await setUp(t);
    await stage.db.owner(
      `insert into public.tracked_tickers_latest (symbol, asset_type, exchange, currency, current_price, price_at, source)
       values ($1, 'stock', $2, $3, 100, '2026-11-19T05:00:00Z', 'fmp')`,
      [symbol, exchange, currency],
    );
    stage.fake.state.candles.set(symbol, createFmpCandles(symbol, CLOSES));
    const refresh = async (price: number, time: string): Promise<string[]> => {
      stage.setTime(time);
      stage.fake.state.quotes.set(symbol, createFmpQuote(symbol, price, 50, at(time)));
      await stage.run('market-refresh', { always: true });
      return listFired(stage);
    };
    await addAlert(stage, { symbol, kind: 'below', threshold: 90 });
    stage.setTime('2026-11-19T23:00:00Z');
    await stage.run('market-backfill', { symbol });

    assert.deepEqual(await refresh(51, times[0]), []);
    assert.deepEqual(await listWaiting(stage), ['below 45']);
    await addAlert(stage, { symbol, kind: 'below', threshold: 48 });
    assert.deepEqual(await refresh(47, times[1]), ['below 48 at 47'], 'a price of the same session');
    assert.deepEqual(await refresh(44, times[2]), ['below 48 at 47', 'below 45 at 44']);
  });

test('waits when a price halves and the split feed does not answer', async (t) => {
  const { stage, refresh } = await setUp(t);
  await stage.db.owner(
    `update public.tracked_tickers_latest set price_at = '2026-11-19T21:00:00Z', current_price = 100`,
  );
  stage.fake.state.candles.set('AAPL', createFmpCandles('AAPL', CLOSES));
  await stage.run('market-backfill', { symbol: 'AAPL' });
  await addAlert(stage, { kind: 'below', threshold: 90 });

  stage.fake.failWith('a server error', 1);
  assert.deepEqual(await refresh(51, '2026-11-20T15:15:00Z'), []);
  stage.fake.failWith(undefined);
  assert.deepEqual(await refresh(51, '2026-11-20T15:30:00Z'), ['below 90 at 51']);
});

test('stores neither price nor fired alert when the transaction fails', async (t) => {
  const { stage, refresh, captured } = await setUp(t);
  await addAlert(stage, { threshold: 105 });
  await stage.db.owner(`alter table public.fired_alerts add constraint no_alerts check (price < 0)`);

  await assert.rejects(refresh(106, '2026-11-20T15:15:00Z'), /no_alerts/);
  assert.equal((await stage.readRow('AAPL')).current_price, 100);
  await stage.db.owner(`alter table public.fired_alerts drop constraint no_alerts`);
  assert.deepEqual(await refresh(106, '2026-11-20T15:15:00Z'), ['above 105 at 106']);
  assert.equal(captured.length, 1);
});

test('refreshes prices while members with due alerts are deleted', async (t) => {
  const { stage, refresh } = await setUp(t);
  const members = Array.from({ length: 20 }, (_, n) => `user_${n}`);
  await stage.db.owner('insert into public.all_users (idp_id) select unnest($1::text[])', [members]);
  for (const idpId of members)
    for (const threshold of [101, 102, 103]) await addAlert(stage, { threshold, idpId, repeats: 'daily' });
  const { service } = stage.db.database;
  const owners = [{ onUserDeleted: deleteMemberAlerts }];

  await Promise.all([
    refresh(106, '2026-11-20T15:15:00Z'),
    ...members.map((idpId) => service.transaction((tx) => deleteMember(tx, idpId, owners))),
  ]);

  assert.equal((await stage.readRow('AAPL')).current_price, 106);
  assert.deepEqual(await stage.db.owner(`select from public.alerts union all select from public.fired_alerts`), []);
});

test('waits for a deletion that holds the due alert when a later alert is adjusted for a split', async (t) => {
  const { stage } = await setUp(t);
  const { db } = stage;
  const { service } = db.database;
  await db.owner(`insert into public.tracked_tickers_latest (symbol, asset_type) values ('MSFT', 'stock')`);
  const due = await addAlert(stage, { threshold: 105 });
  const split = await addAlert(stage, { symbol: 'MSFT', threshold: 400 });
  await db.owner(
    `update public.alerts set priced_at = '2026-11-19T21:00:00Z',
        id = case id when $1 then '00000000-0000-4000-8000-000000000001'::uuid
                     else '00000000-0000-4000-8000-000000000002'::uuid end
      where id in ($1, $2)`,
    [due, split],
  );
  const written = { prices: [PRICE], splits: [{ symbol: 'MSFT', day_start: '2026-11-20T05:00:00Z', factor: 0.5 }] };
  const evaluate = createAlertEvaluator({ sendsMail: false, capture: () => {} });

  const waiting = await service.transaction(async (holder) => {
    await holder.query(`select from public.alerts where symbol = 'AAPL' for update`);
    const deletion = service.transaction((tx) => deleteMemberAlerts(tx, 'user_ada'));
    await eventuallyEquals(() => countLockWaiters(stage), 1);
    const evaluation = service.transaction((tx) => evaluate(tx, written));
    await eventuallyEquals(() => countLockWaiters(stage), 2);
    return { results: Promise.all([deletion, evaluation]) };
  });
  await waiting.results;

  assert.deepEqual(await db.owner(`select from public.alerts union all select from public.fired_alerts`), []);
});

test('deletes a member when an addition waits for a price whose refresh finds an alert of the member', async (t) => {
  const { stage } = await setUp(t);
  const { service } = stage.db.database;
  await addAlert(stage, { threshold: 105 });
  const evaluate = createAlertEvaluator({ sendsMail: false, capture: () => {} });

  const addition = await service.transaction(async (refresh) => {
    await refresh.query(`select from public.tracked_tickers_latest where symbol = 'AAPL' for update`);
    const added = addAlert(stage, { threshold: 120 });
    await eventuallyEquals(() => countLockWaiters(stage), 1);
    const deletion = service.transaction((tx) => deleteMemberAlerts(tx, 'user_ada'));
    // A deletion that waits for the addition holds the alert by now.
    await Promise.race([deletion, eventuallyEquals(() => countLockWaiters(stage), 2)]);
    await Promise.all([deletion, evaluate(refresh, { prices: [PRICE], splits: [] })]);
    return { added };
  });
  await addition.added;

  assert.deepEqual(await listFired(stage), []);
  assert.deepEqual(await listWaiting(stage), ['above 120']);
});

test('changes fired alerts in the order of their ids when several are marked as read or mailed', async (t) => {
  const { stage, refresh } = await setUp(t);
  const { service } = stage.db.database;
  for (const threshold of [103, 104]) await addAlert(stage, { threshold });
  await refresh(105, '2026-11-20T15:15:00Z');
  const first = '00000000-0000-4000-8000-000000000001';
  const second = '00000000-0000-4000-8000-000000000002';
  // The second is before the first in the table.
  await stage.db.owner(`update public.fired_alerts set id = $1, mail_pending = true where threshold = 104`, [second]);
  await stage.db.owner(`update public.fired_alerts set id = $1, mail_pending = true where threshold = 103`, [first]);

  for (const change of [
    (sql: ServiceSql) => markRead(sql, 'user_ada', [first, second]),
    (sql: ServiceSql) => dropPendingMail(sql, 'user_ada'),
    (sql: ServiceSql) => markMailed(sql, 'user_ada', [first, second]),
  ]) {
    const changed = await service.transaction(async (holder) => {
      await holder.query('select from public.fired_alerts where id = $1 for update', [first]);
      const pending = service.transaction(change);
      await eventuallyEquals(() => countLockWaiters(stage), 1);
      await holder.query('select from public.fired_alerts where id = $1 for update nowait', [second]);
      return { pending };
    });
    await changed.pending;
    await stage.db.owner('update public.fired_alerts set mail_pending = true where id = $1', [second]);
    await stage.db.owner('update public.fired_alerts set mail_pending = true where id = $1', [first]);
  }
});

test('evaluates the first price after an alert that was added during a refresh', async (t) => {
  const { stage, refresh, setQuote } = await setUp(t);
  for (let round = 1; round <= 5; round += 1) {
    const time = `2026-11-20T15:${String(round * 5).padStart(2, '0')}:00Z`;
    stage.setTime(time);
    setQuote(106, time);
    await Promise.all([
      stage.run('market-refresh', { always: true }),
      addAlert(stage, { threshold: 105 + round / 100 }),
    ]);
    await refresh(106, time.replace(':00Z', ':30Z'));
    assert.deepEqual(await listWaiting(stage), [], `round ${round}`);
  }
});
