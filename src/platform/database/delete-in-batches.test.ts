import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createTestDatabase } from '../../../test/support/database.ts';
import { deleteInBatches } from './delete-in-batches.ts';
import type { ServiceSql } from './roles.ts';

test('deletes in statements of a limited number of rows when many rows match', async (t) => {
  const { owner, database } = await createTestDatabase(t);
  await owner(`insert into public.all_users (idp_id) values ('user_a')`);
  // Fixed ids, so that the batches end at the same rows in every run.
  await owner(
    `insert into public.analytics_events (idp_id, id, event, properties, occurred_at)
     select 'user_a', md5(n::text)::uuid, 'viewed', '{}', now() - n * interval '1 minute' - interval '31 days'
       from generate_series(1, 1000) n`,
  );
  await owner(`insert into public.analytics_events (idp_id, event, properties) values ('user_a', 'recent', '{}')`);
  const deleted: number[] = [];
  const sql: ServiceSql = {
    ...database.service,
    async query<Row extends object>(text: string, values?: readonly unknown[]) {
      const rows = await database.service.query<Row>(text, values);
      if (text.startsWith('delete')) deleted.push(rows.length);
      return rows;
    },
  };
  const deletion = {
    statement: `delete from public.analytics_events where occurred_at < now() - make_interval(days => $1)`,
    values: [30],
    time: 'occurred_at',
    id: 'id',
    counted: true,
  };
  assert.equal(await deleteInBatches(sql, deletion, 10), 1000);
  assert.ok(Math.max(...deleted) < 100, `rows by statement: ${deleted.join(', ')}`);
  assert.deepEqual(await owner('select event from public.analytics_events'), [{ event: 'recent' }]);
});
