import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { downsampleSnapshots } from './queries.ts';

/** Wednesday. 400 days earlier is Thursday 2025-06-26, in the week from Monday the 23rd. */
const TODAY = '2026-07-31';
const MONDAY = '2025-06-23';

test('keeps the last day per week, member, currency after 400 days', async (t) => {
  const db = await createTestDatabase(t);
  await db.owner(`insert into public.all_users (idp_id) values ('user_a'), ('user_b'), ('user_c')`);
  await db.owner(
    `insert into public.net_worth_snapshots (idp_id, d, currency, cash, investments)
     select u.idp_id, d, c, 1, 1 from public.all_users u
      cross join generate_series(date '2025-06-01', '${TODAY}', interval '1 day') d
      cross join unnest(array['EUR', 'USD']) c
      -- The second member's euros end in the middle of a week.
      where not (u.idp_id = 'user_b' and c = 'EUR' and d > '2025-06-11')`,
  );
  const older = (member: string, currency: string) =>
    db.owner<{ d: string }>(
      `select d::text from public.net_worth_snapshots
        where idp_id = $1 and currency = $2 and d < '${MONDAY}' order by 1`,
      [member, currency],
    );
  const since = async () =>
    (
      await db.owner<{ n: number }>(`select count(*)::int as n from public.net_worth_snapshots where d >= '${MONDAY}'`)
    )[0];
  const remaining = await since();
  const downsample = async (batch?: number) => {
    const count = () => db.owner<{ n: number }>('select count(*)::int as n from public.net_worth_snapshots');
    const [before] = await count();
    await downsampleSnapshots(db.database.service, TODAY, batch);
    const [after] = await count();
    return before!.n - after!.n;
  };
  // Each currency has 22 days before that Monday and keeps four. The earlier euro days are 11 and keep three.
  assert.equal(await downsample(2), 5 * 18 + 8);
  const sundays = ['2025-06-01', '2025-06-08', '2025-06-15', '2025-06-22'];
  for (const member of ['user_a', 'user_b', 'user_c'])
    assert.deepEqual(
      (await older(member, 'USD')).map(({ d }) => d),
      sundays,
      member,
    );
  assert.deepEqual(
    (await older('user_b', 'EUR')).map(({ d }) => d),
    ['2025-06-01', '2025-06-08', '2025-06-11'],
  );
  assert.deepEqual(await since(), remaining, 'what is younger stays day by day');
  assert.equal(await downsample(), 0, 'a second run finds nothing');
});

test('deletes nothing outside its batch and week', async (t) => {
  const db = await createTestDatabase(t);
  await db.owner(`insert into public.all_users (idp_id) select 'user_' || n from generate_series(1, 5) n`);
  await db.owner(
    `insert into public.net_worth_snapshots (idp_id, d, currency, cash, investments)
     select idp_id, '2024-01-03', 'USD', 1, 1 from public.all_users`,
  );
  await downsampleSnapshots(db.database.service, TODAY, 2);
  assert.equal((await db.owner('select from public.net_worth_snapshots')).length, 5);
});
