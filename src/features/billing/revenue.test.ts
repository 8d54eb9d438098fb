import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { revenueCommand } from './revenue-cli.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  const [{ payer }] = (await db.owner<{ payer: string }>(
    `insert into public.billing_payers (customer_id) values ('cus_1') returning payer`,
  )) as [{ payer: string }];
  await db.owner(
    `insert into public.billing_invoices (payer, id, status, currency, total_minor, net_minor, tier, entry_source,
       created_at, paid_at) values
     ($1, 'in_1', 'paid', 'USD', 1000, 999, 'pro', 'watchlist_limit', '2026-01-31 22:00Z', '2026-01-31 23:59:59Z'),
     ($1, 'in_2', 'paid', 'USD', 1999, 1999, 'max', 'watchlist_locked', '2026-02-01Z', '2026-02-01 00:00Z'),
     ($1, 'in_3', 'paid', 'EUR', 500, 500, 'pro', 'watchlist_limit', '2026-02-02Z', '2026-02-02Z'),
     ($1, 'in_4', 'paid', 'USD', 0, 0, 'pro', null, '2026-02-02Z', '2026-02-02Z'),
     ($1, 'in_5', 'open', 'USD', 999, 0, 'pro', null, '2026-02-02Z', null),
     ($1, 'in_6', 'paid', 'USD', 300, 300, 'pro', '=cmd()', '2026-02-02Z', '2026-02-02Z')`,
    [payer],
  );
  await db.owner(
    `insert into public.billing_refunds_and_disputes (payer, id, kind, invoice_id, status, currency, net_minor, created_at) values
     ($1, 're_1', 'refund', 'in_1', 'succeeded', 'USD', 400, '2026-02-10Z'),
     ($1, 're_2', 'refund', 'in_1', 'succeeded', 'USD', 599, '2026-02-10Z'),
     ($1, 're_3', 'refund', 'in_2', 'failed', 'USD', 0, '2026-02-10Z'),
     ($1, 'du_1', 'dispute', 'in_2', 'won', 'USD', 0, '2026-02-10Z')`,
    [payer],
  );
  await db.owner(
    `insert into public.billing_movements (payer, kind, currency, mrr_minor, from_tier, to_tier, entry_source, moved_at)
     values ($1, 'new', 'USD', 999, 'free', 'pro', 'watchlist_limit', '2026-01-31 23:59:59Z'),
       ($1, 'expansion', 'USD', 1000, 'pro', 'max', 'watchlist_locked', '2026-02-01Z'),
       ($1, 'contraction', 'USD', -1000, 'max', 'pro', 'watchlist_limit', '2026-02-20Z'),
       ($1, 'churn', 'USD', -999, 'pro', 'free', 'watchlist_limit', '2026-03-01Z'),
       ($1, 'reactivation', 'USD', 999, 'free', 'pro', 'watchlist_locked', '2026-03-02Z'),
       ($1, 'new', 'EUR', 500, 'free', 'pro', null, '2026-02-02Z')`,
    [payer],
  );
});
afterAll(() => db.drop());

async function runRevenue(...argv: string[]): Promise<{ code: number; out: string }> {
  let out = '';
  const io = {
    out: (text: string) => {
      out += text;
    },
    err: () => {},
  };
  return { code: await revenueCommand((work) => work(db.database)).run(argv, io), out };
}
const readJson = async (...argv: string[]) =>
  JSON.parse((await runRevenue(...argv, '--json')).out) as Record<string, unknown>[];

const createRow = (values: object) => ({
  label: 'Watchlist · Full',
  bucket: 'proactive_watchlist',
  entry_source: 'watchlist_limit',
  net_minor: 0,
  new_subscriptions: 0,
  ...values,
});

test('reports each source less refunds in its own currency', async () => {
  const other = { label: 'Other', bucket: 'other' };
  const locked = { label: 'Watchlist · Locked after downgrade', entry_source: 'watchlist_locked' };

  assert.deepEqual(await readJson('report'), [
    createRow({ currency: 'EUR', net_minor: 500 }),
    createRow({ ...other, entry_source: null, currency: 'EUR', new_subscriptions: 1 }),
    createRow({ ...locked, currency: 'USD', net_minor: 1_999, new_subscriptions: 1 }),
    createRow({ ...other, entry_source: '=cmd()', currency: 'USD', net_minor: 300 }),
    createRow({ currency: 'USD', new_subscriptions: 1 }),
  ]);
});

test.each([
  [
    'bucket',
    [
      ['proactive_watchlist', 'EUR', 500],
      ['other', 'EUR', 0],
      ['proactive_watchlist', 'USD', 1_999],
      ['other', 'USD', 300],
    ],
  ],
  [
    'tier',
    [
      ['pro', 'EUR', 500],
      ['max', 'USD', 1_999],
      ['pro', 'USD', 300],
    ],
  ],
])('reports revenue by %s', async (by, expected) => {
  const rows = await readJson('report', '--by', by);

  assert.deepEqual(
    rows.map(({ label, currency, net_minor: net }) => [label, currency, net]),
    expected,
  );
});

test('interprets days in UTC, both inclusive', async () => {
  const january = await readJson('report', '--from', '2026-01-01', '--to', '2026-01-31');
  assert.deepEqual(
    january.map(({ label, net_minor: net, new_subscriptions: fresh }) => [label, net, fresh]),
    [['Watchlist · Full', 999, 1]],
  );
  const [first] = await readJson('report', '--from', '2026-02-01', '--to', '2026-02-01');
  assert.equal(first?.['net_minor'], 1_999);
});

test('adds up the movements of recurring revenue each month', async () => {
  const months = (await readJson('mrr')) as Record<string, number | string>[];
  assert.deepEqual(
    months.map(({ month, currency, start_minor: start, end_minor: end }) => [month, currency, start, end]),
    [
      ['2026-01-01', 'USD', 0, 999],
      ['2026-02-01', 'EUR', 0, 500],
      ['2026-02-01', 'USD', 999, 999],
      ['2026-03-01', 'USD', 999, 999],
    ],
  );
  for (const { month: _month, currency: _currency, end_minor: end, ...parts } of months)
    assert.equal(
      Object.values(parts).reduce<number>((sum, part) => sum + Number(part), 0),
      end,
    );
  const cohorts = await readJson('cohorts');
  assert.deepEqual(cohorts, [
    {
      label: 'Watchlist · Full',
      month: '2026-01-01',
      entry_source: 'watchlist_limit',
      currency: 'USD',
      payers: 1,
      paying_now: 1,
      mrr_minor: 999,
    },
    {
      label: 'Other',
      month: '2026-02-01',
      entry_source: null,
      currency: 'EUR',
      payers: 1,
      paying_now: 1,
      mrr_minor: 500,
    },
  ]);
});

test('escapes formulas in text cells only', async () => {
  const { out } = await runRevenue('report', '--csv');
  assert.match(out, /,'=cmd\(\),USD,300,0\r\n/);
  assert.match((await runRevenue('mrr', '--csv')).out, /,-1000,0,999\r\n/);
  assert.match(
    (await runRevenue('report')).out,
    /^label +bucket +entry_source +currency +net_minor +new_subscriptions\n/,
  );
});

test('rejects an unknown report', async () => {
  assert.deepEqual(await readJson('funnel'), []);
  const wrong = [
    [],
    ['x'],
    ['report', '--by', 'x'],
    ['report', '--from', 'soon'],
    ['mrr', '--by', 'tier'],
    ['report', 'x'],
  ];
  for (const argv of wrong) assert.equal((await runRevenue(...argv)).code, 2, argv.join(' '));
});
