import assert from 'node:assert/strict';
import { test, type TestContext } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { checkLogins, checkOwner, checkRestoreOwner } from '../check-logins.ts';
import { createOwnerClient, toSql } from '../disposable-client.ts';
import { beginRestore, endRestore, runStep } from './restore-progress.ts';

const BACKUP = '2026-11-25T10:00:00.000Z';

/** Creates a database whose restore was interrupted after the migrations. */
async function createUnfinished(t: TestContext): Promise<TestDatabase> {
  const database = await createTestDatabase(t);
  await database.owner(`create table tally.restore_progress as select '${BACKUP}' as backup, 'begun' as step`);
  return database;
}

/** Returns a handle on one connection, since the lock belongs to a connection. */
async function connectOwner(t: TestContext, { ownerUrl }: TestDatabase) {
  const client = createOwnerClient(ownerUrl, 'restore');
  await client.connect();
  t.onTestFinished(() => client.end());
  return toSql(client);
}

test('rejects each login when a restore has not finished', async (t) => {
  const database = await createUnfinished(t);
  assert.match((await checkLogins(database.urls))!, /^The setting DB_URL must name another .* has not finished: run /);
  assert.match((await checkOwner(database.ownerUrl))!, /^The setting DB_OWNER_URL must name another database/);
  assert.equal(await checkRestoreOwner(database.ownerUrl), undefined);
  await endRestore(await connectOwner(t, database));
  assert.equal(await checkLogins(database.urls), undefined);
  assert.equal(await checkOwner(database.ownerUrl), undefined);
});

test('continues an interrupted restore at its last completed step', async (t) => {
  const database = await createUnfinished(t);
  const sql = await connectOwner(t, database);
  assert.equal(await beginRestore(sql, BACKUP), 'begun');
  await runStep(sql, 'rows', async () => {});
  assert.equal(await beginRestore(sql, BACKUP), 'rows');
});

test('rejects another backup when a restore was interrupted', async (t) => {
  const sql = await connectOwner(t, await createUnfinished(t));
  await assert.rejects(beginRestore(sql, 'another'), /another backup .* was interrupted/);
});

test('rejects a second restore while the first is running', async (t) => {
  const database = await createUnfinished(t);
  await beginRestore(await connectOwner(t, database), BACKUP);
  await assert.rejects(beginRestore(await connectOwner(t, database), BACKUP), /Another restore .* is running/);
});

test('rejects a database that is in use', async (t) => {
  const sql = await connectOwner(t, await createTestDatabase(t));
  await assert.rejects(beginRestore(sql, BACKUP), /already in use/);
});
