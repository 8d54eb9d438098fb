import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createTestDatabase } from '../../../test/support/database.ts';

test('reports no disk space only after a statement failed with a full disk', async (t) => {
  const { database, owner } = await createTestDatabase(t);
  await assert.rejects(database.service.query('select nothing_of_the_kind'), { code: '42703' });
  assert.equal(database.hasDiskSpace(), true);
  await owner(
    `create function public.extend_file() returns void language plpgsql as
       $$ begin raise exception using errcode = 'disk_full', message = 'could not extend file'; end $$;
     grant execute on function public.extend_file() to service_role`,
  );
  await assert.rejects(database.service.query('select public.extend_file()'), { code: '53100' });
  assert.equal(database.hasDiskSpace(), false);
});
