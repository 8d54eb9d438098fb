import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import {
  getCompanySymbols,
  type TestMember,
  setUpWatchlistApp,
  type WatchlistApp,
} from '../../../test/support/watchlist.ts';
import { createRow } from '../../../test/support/watchlist-rows.ts';
import { captureProperties } from './contract.ts';
import { writeCsv } from './export-watchlist.ts';

let app: WatchlistApp;
setUpWatchlistApp((started) => {
  app = started;
});

const importing = (member: TestMember, text: string, query = '') =>
  member.call('POST', `/api/watchlist/import${query}`, { text });

describe('side effects of an import', () => {
  test('requests backfills and sends an event for an import but not for a dry run', async () => {
    const member = await app.signUp();
    const events = () => app.getEvents(member.idpId);
    app.backfills.length = 0;
    assert.deepEqual(
      (await importing(member, 'GOOGL\nMETA', '?dry_run=1')).body.rows.map(
        ({ outcome }: { outcome: string }) => outcome,
      ),
      ['added', 'added'],
    );
    await importing(member, 'NVDA\nNOSUCH\nAMZN\nNVDA');
    await eventually(() => app.backfills.length >= 2);
    assert.deepEqual(app.backfills, ['NVDA', 'AMZN']);
    assert.deepEqual(
      (await events()).map(({ event, properties: { rows, added } }) => [event, rows, added]),
      [['watchlist_imported', 4, 2]],
    );
  });

  test('does not let own properties overwrite common properties', () => {
    const state = { tier: 'free', limit: 20, item_count: 3, locked_count: 0 } as const;
    assert.deepEqual(
      captureProperties(state, { rows: 4, feature: 'other', tier: 'max', limit: 1, item_count: 99, locked_count: 9 }),
      { rows: 4, feature: 'watchlist', ...state },
    );
  });
});

describe('limits of an import', () => {
  test('accepts exactly 500 symbols', async () => {
    const member = await app.signUp();
    const { status, body } = await importing(
      member,
      [...getCompanySymbols(60), ...Array.from({ length: 440 }, (_, i) => `Q${i}`)].join('\n'),
    );
    assert.deepEqual([status, body.rows?.length], [200, 500]);
  });

  test('refuses a text with more than 20,000 cells, empty ones too', async () => {
    const rejected = await importing(await app.signUp(), '\n'.repeat(20_000));
    assert.deepEqual(
      [rejected.status, rejected.body.issues],
      [400, [{ path: 'text', message: 'has 20001 cells; at most 20000 at a time' }]],
    );
  });

  test('accepts 5,000 entries for any number of symbols', async () => {
    const member = await app.signUp();
    const { status, body } = await importing(member, 'KO,'.repeat(5000), '?dry_run=1');
    assert.deepEqual([status, body.rows?.length], [200, 5000]);
    for (const [text, entries] of [
      ['KO,'.repeat(5001), 5001],
      ['A,'.repeat(19_000), 19_000],
      [`Symbol,Lot\n${'KO,1\n'.repeat(6000)}`, 6000],
    ] as const) {
      const rejection = await importing(member, text);
      assert.deepEqual(
        [rejection.status, rejection.body.issues],
        [400, [{ path: 'text', message: `has ${entries} entries; at most 5000 at a time` }]],
      );
    }
  });

  test('accepts 64 kB, counted in bytes', async () => {
    const member = await app.signUp();
    for (const [letter, bytes] of [
      ['A', 1],
      ['é', 2],
      ['漢', 3],
    ] as const) {
      const maxLetters = Math.floor((64 * 1024) / bytes);
      assert.equal(
        (await importing(member, letter.repeat(maxLetters), '?dry_run=1')).status,
        200,
        `${maxLetters} × ${letter}`,
      );
      const { status, body } = await importing(member, letter.repeat(maxLetters + 1), '?dry_run=1');
      assert.deepEqual([status, body.code], [413, 'PAYLOAD_TOO_LARGE'], `${maxLetters + 1} × ${letter}`);
    }
  });

  test('adds nothing and looks up nothing after a downgrade', async () => {
    const member = await app.signUp('pro');
    await member.addSymbols(...getCompanySymbols(25));
    await app.billing.setTier(member.idpId, 'free');
    app.registrationRequests.length = 0;
    app.lookups.length = 0;
    for (const query of ['?dry_run=1', '']) {
      const { body } = await importing(member, 'NEW910\nAAA25\nKO', query);
      assert.deepEqual(
        body.rows.map(({ outcome }: { outcome: string }) => outcome),
        ['over_limit', 'duplicate', 'over_limit'],
        query,
      );
    }
    assert.deepEqual([app.registrationRequests, app.lookups], [[], []]);
  });

  test('returns retry-after when a symbol cannot be looked up', async () => {
    const member = await app.signUp();
    app.market.unavailable.add('provider');
    const { status, headers } = await importing(member, 'NEW911').finally(() => app.market.unavailable.clear());
    assert.deepEqual([status, headers.get('retry-after')], [503, '5']);
  });
});

test('exports percent of par, the day of the add, and quoted cells', () => {
  const row = createRow({
    symbol: 'US912810TM09',
    asset_type: 'bond',
    name: 'Treasury; 4%',
    created_at: new Date('2026-11-02T09:00:00Z'),
    updated_at: new Date('2026-11-18T09:00:00Z'),
    price: 98.125,
    price_at: new Date('2026-11-18T20:00:00Z'),
  });
  assert.equal(
    writeCsv([row]).split('\r\n')[1],
    'US912810TM09,"Treasury; 4%",bond,USD,98.125,percent_of_par,2026-11-18T20:00:00.000Z,no,2026-11-02,no',
  );
});
