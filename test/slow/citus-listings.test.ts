// @module-tag slow
// @module-tag alone
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'vitest';
import { distribute } from '../../src/platform/database/distribute.ts';
import { startCitusForTest } from '../support/citus.ts';
import { queryAsOwner, withDatabase } from '../support/cluster.ts';
import { createTestDatabase } from '../support/database.ts';

test('copies each change of the catalog to every server, also after the view was replaced', async (t) => {
  const citus = await startCitusForTest(t);
  const db = await createTestDatabase(t);
  const readAll = 'select to_jsonb(l)::text as row from public.listings l order by l.ticker_id';
  const name = new URL(db.ownerUrl).pathname.slice(1);
  const assertCopied = async (symbols: readonly string[]) => {
    const catalog = await db.owner<{ row: string }>(
      `select to_jsonb(l)::text as row
         from (select ${COLUMNS} from public.tracked_tickers_latest) l order by l.ticker_id`,
    );
    const listed = catalog.map(({ row }) => (JSON.parse(row) as { symbol: string }).symbol);
    assert.deepEqual(listed, symbols);
    for (const url of [db.ownerUrl, ...citus.cluster.workers!.map((worker) => withDatabase(worker, name))])
      assert.deepEqual(await queryAsOwner(url, readAll), catalog, url);
  };
  const { service } = db.database;
  await service.query(
    `insert into public.tracked_tickers_latest (symbol, asset_type, currency, current_price, volume, price_at)
     values ('A', 'stock', 'USD', 0.1, 9007199254740993, '2026-11-20 15:00:00.123456+00'), ('B', 'etf', null, null, null, null),
            ('C', 'bond', 'EUR', 1e300, 0, null)`,
  );
  await assertCopied(['A', 'B', 'C']);
  await service.query(
    `update public.tracked_tickers_latest set current_price = current_price + 0.2, symbol = symbol || '1'
      where symbol in ('A', 'C')`,
  );
  await service.query(`delete from public.tracked_tickers_latest where symbol = 'B'`);
  await assertCopied(['A1', 'C1']);
  await assert.rejects(
    service.transaction(async (tx) => {
      await tx.query(`update public.tracked_tickers_latest set name = 'lost'`);
      throw new Error('rolled back');
    }),
    /rolled back/,
  );
  await assertCopied(['A1', 'C1']);

  // A migration may replace the view. Until the next distribution it reads the catalog.
  const migration = await readFile('db/migrations/20261126_01_listings.sql', 'utf8');
  await db.owner(`drop view public.listings; ${migration.slice(0, migration.indexOf('create table'))}`);
  await service.query(`update public.tracked_tickers_latest set name = 'New' where symbol = 'A1'`);
  await distribute(db.ownerUrl);
  await assertCopied(['A1', 'C1']);
  await service.query(`insert into public.tracked_tickers_latest (symbol, asset_type) values ('D', 'stock')`);
  await assertCopied(['A1', 'C1', 'D']);

  const member = db.database.asMember({ sub: 'member_1' });
  assert.equal((await member.query(readAll)).length, 3);
  await assert.rejects(member.query(`update public.listing_copies set current_price = 1`), { code: '42501' });
});

const COLUMNS = `ticker_id, symbol, asset_type, name, exchange, logo, logo_source, currency, current_price, change_1d,
  change_amount, prev_close, open, day_low, day_high, volume, market_cap, price_at, delayed_minutes, source`;
