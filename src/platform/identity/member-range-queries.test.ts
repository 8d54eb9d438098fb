import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createTestDatabase } from '../../../test/support/database.ts';
import { listMemberRanges } from './member-range-queries.ts';

test('covers each member once when there are several ranges', async (t) => {
  const db = await createTestDatabase(t);
  assert.deepEqual(await listMemberRanges(db.database.service, 10), [], 'no range without members');
  await db.owner(`insert into public.all_users (idp_id) select 'user_' || md5(n::text) from generate_series(1, 100) n`);
  const ranges = await listMemberRanges(db.database.service, 10);
  const counts: number[] = [];
  for (const { after, until } of ranges) {
    const [row] = await db.owner<{ n: number }>(
      'select count(*)::int as n from public.all_users where idp_id > $1 and idp_id <= $2',
      [after, until],
    );
    counts.push(row!.n);
  }
  assert.ok(ranges.length > 3, 'the size bounds the ranges');
  assert.ok(counts.every((count) => count > 0));
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    100,
  );
});
