import assert from 'node:assert/strict';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { asOwner, inDatabase } from '../../test/support/cluster.ts';
import { migrateJobs } from '../jobs/migrate-jobs.ts';
import { createJobs } from '../jobs/jobs.ts';
import type { Database, DatabaseUrls } from './connect.ts';
import { connectDatabase } from './connect.ts';
import { startEmbedded } from './embedded.ts';
import { migrate, pendingMigrations } from './migrate.ts';
import { serviceUrl } from './service-url.ts';

/** A server on which nobody has made our roles: what an operator's own is before the runbook. */
async function freshServer(t: TestContext) {
  const dataDir = await mkdtemp(join(tmpdir(), 'tally-external-'));
  const server = await startEmbedded({ dataDir, secrets: { authenticator: 'first', service: 'second' }, throwaway: true });
  t.after(() => server.stop());
  return { admin: server.ownerUrl, urls: { authenticator: server.urls.authenticator, service: serviceUrl(server.urls.authenticator, 'second') } };
}

function connectAs(t: TestContext, urls: DatabaseUrls): Database {
  const database = connectDatabase(urls);
  t.after(() => database.close());
  return database;
}

async function assertServes(t: TestContext, urls: DatabaseUrls): Promise<void> {
  const database = connectAs(t, urls);
  assert.equal(await database.ping(), true);
  assert.deepEqual(await pendingMigrations(database.service), []);
  assert.equal(await createJobs(database).queueReady(), true);
  assert.deepEqual(await database.asMember({ sub: 'user_a' }).query(`select current_user::text as role, (select auth.jwt()) ->> 'sub' as sub`), [{ role: 'authenticated', sub: 'user_a' }]);
}

test('a superuser’s migration makes roles and passwords', async (t) => {
  const { admin, urls } = await freshServer(t);
  await migrate(admin, { logins: urls, afterwards: migrateJobs });
  await assertServes(t, urls);
});

test('a superuser’s migration leaves set_config() to a login of another name, and to no member', async (t) => {
  const { admin, urls } = await freshServer(t);
  await migrate(admin, { logins: urls, afterwards: migrateJobs });
  await asOwner(admin, `create role site_login login noinherit password 'third'; grant anon, authenticated to site_login`);
  await asOwner(admin, 'create database product');
  const ofProduct = (url: string): string => inDatabase(url, 'product');
  await migrate(ofProduct(admin), { afterwards: migrateJobs });
  const site = { authenticator: ofProduct(urls.authenticator).replace(/\/\/[^@]*@/, '//site_login:third@'), service: ofProduct(urls.service) };
  await assertServes(t, site);
  await assert.rejects(connectAs(t, site).asMember({ sub: 'user_a' }).query(`select set_config('request.jwt.claims', '{}', true)`), { code: '42501' });
});

test('the runbook’s statements are enough for an owner who is no superuser', async (t) => {
  const { admin, urls } = await freshServer(t);
  const runbook = await readFile(new URL('../../docs/runbooks/external-database.md', import.meta.url), 'utf8');
  const statements = /```sql\n([^`]+)```/.exec(runbook)?.[1] ?? '';
  await asOwner(admin, statements.replace('<password in DB_URL>', 'first').replace('<DB_SERVICE_ROLE_KEY>', 'second'));
  await asOwner(admin, `create role operator login password 'third'`);
  await asOwner(admin, 'create database product owner operator');
  const owner = inDatabase(admin, 'product').replace(/\/\/[^@]*@/, '//operator:third@');
  const product = { authenticator: inDatabase(urls.authenticator, 'product'), service: inDatabase(urls.service, 'product') };
  await migrate(owner, { logins: product, afterwards: migrateJobs });
  await assertServes(t, product);
  assert.deepEqual(await connectAs(t, product).service.query(`select current_setting('lock_timeout') as waits, current_setting('idle_in_transaction_session_timeout') as idles`), [{ waits: '5s', idles: '30s' }]);
});
