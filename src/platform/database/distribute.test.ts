import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { distribute, isDistributed, MEMBER_TABLES, NotDistributable, REFERENCE_TABLES } from './distribute.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

/** Members' tables that stay on the coordinator, with the reason. */
const FULL_TABLES: Readonly<Record<string, string>> = {
  alert_settings: 'alerts are evaluated in the transaction that stores prices, on the coordinator',
  alerts: 'a refresh of prices finds the alerts of all members',
  fired_alerts: 'written in the transaction that stores prices',
  billing_customers: 'a payer is one member of all',
  assistant_tokens: 'a request has only the token, which finds its member',
  assistant_usage: 'a reservation counts the tokens of all members under one lock',
};

test('distributes every table whose key begins with its member, except listed ones', async () => {
  const rows = await db.owner<{ name: string }>(
    `select c.relname as name from pg_index i
       join pg_class c on c.oid = i.indrelid and c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
       join pg_attribute k on k.attrelid = c.oid and k.attnum = (i.indkey::int2[])[0]
      where i.indisprimary and k.attname = 'idp_id' order by 1`,
  );
  const onEachServer: readonly string[] = REFERENCE_TABLES;
  const names = rows.map(({ name }) => name).filter((name) => !onEachServer.includes(name));
  assert.deepEqual(names.sort(), [...MEMBER_TABLES, ...Object.keys(FULL_TABLES)].sort());
});

test('rejects an ordinary PostgreSQL, names what is missing and changes nothing', async (t) => {
  if (db.distributed) return t.skip('the server distributes tables');
  assert.equal(await isDistributed(db.urls.service), false);
  const shape = () => db.owner(`select conname, conrelid::regclass::text as of from pg_constraint order by 1, 2`);
  const before = await shape();
  await assert.rejects(distribute(db.ownerUrl), (error: Error) => {
    assert.ok(error instanceof NotDistributable);
    assert.match(error.message, /no extension "citus": run "create extension citus"/);
    return true;
  });
  assert.deepEqual(await shape(), before);
});

test('throws another error when the server is unreachable', async () => {
  await assert.rejects(isDistributed(db.urls.service.replace('service_authenticator', 'nobody_here')));
});
