import assert from 'node:assert/strict';
import { test } from 'vitest';
import { migrate } from '../src/database/migrate.ts';
import { migrateJobs } from '../src/jobs/migrate-jobs.ts';
import { databaseBefore } from './support/database-before.ts';

test('clears the end of exactly those subscriptions that have not ended when upgraded', async (t) => {
  const db = await databaseBefore(t, '20261128_70_subscription_ends.sql');
  const statuses = ['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused', 'canceled'];
  await db.owner(
    `with member as (insert into public.all_users (idp_id) values ('user_a') returning idp_id)
     insert into public.subscriptions (idp_id, id, tier, status, ended_at)
     select m.idp_id, 'sub_' || s, 'pro', s, timestamptz '2026-11-20' from member m,
       unnest($1::text[] || array['incomplete_expired']) s`,
    [statuses],
  );
  await migrate(db.ownerUrl, { afterwards: migrateJobs });
  const ended = await db.owner('select status from public.subscriptions where ended_at is not null order by status');
  assert.deepEqual(ended, [{ status: 'canceled' }, { status: 'incomplete_expired' }]);
});
