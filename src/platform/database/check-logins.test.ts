import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'vitest';
import { withDatabase } from '../../../test/support/cluster.ts';
import { createTestDatabase } from '../../../test/support/database.ts';
import { checkLogins, checkOwner } from './check-logins.ts';
import { migrate } from './migrate.ts';

test('accepts logins as the migrations create them', async (t) => {
  const { urls, ownerUrl } = await createTestDatabase(t);
  assert.deepEqual([await checkLogins(urls), await checkOwner(ownerUrl)], [undefined, undefined]);
});

test('names the setting when a login is rejected or has wrong privileges', async (t) => {
  const { urls, owner, ownerUrl } = await createTestDatabase(t);
  const plainLogin = `plain_${randomBytes(4).toString('hex')}`;
  const bypassLogin = `passing_${randomBytes(4).toString('hex')}`;
  const serviceLogin = `serving_${randomBytes(4).toString('hex')}`;
  await owner(
    `create role ${plainLogin} login password 'p'; grant anon to ${plainLogin};
     create role ${bypassLogin} login bypassrls password 'p'; grant anon, authenticated to ${bypassLogin};
     create role ${serviceLogin} login noinherit password 'p'; grant service_role to ${serviceLogin};
     alter role ${serviceLogin} set role = 'service_role'`,
  );
  const urlAs = (login: string): string => urls.authenticator.replace(/\/\/[^@]*@/, `//${login}@`);
  const member = (url: string) => ({ ...urls, authenticator: url });
  const service = (url: string) => ({ ...urls, service: url });
  const wrong: [{ authenticator: string; service: string }, RegExp][] = [
    [member(urlAs('authenticator:wrong')), /^The setting DB_URL must name a login and password .*"authenticator"/],
    [member(urlAs('authenticator')), /^The setting DB_URL must name a login and password .*password/],
    [member(urlAs('nobody_of_this_name:p')), /^The setting DB_URL must name a login .*"nobody_of_this_name"/],
    [member(ownerUrl), /^The setting DB_URL must name a login that is no superuser /],
    [member(urlAs(`${bypassLogin}:p`)), / must name a login .* obeys row-level security, unlike "passing/],
    [
      member(urlAs(`${plainLogin}:p`)),
      /^The setting DB_URL must name a login that may become "anon" and "authenticated"/,
    ],
    [member(withDatabase(urls.authenticator, 'not_there')), /^The setting DB_URL must name an existing database /],
    [
      service(urls.service.replace(/:[^:@]*@/, ':wrong@')),
      /^The setting DB_SERVICE_ROLE_KEY must be the password of the login "service_authenticator"/,
    ],
    [service(ownerUrl), /^The setting DB_SERVICE_ROLE_KEY must belong to a login whose default role is "service_role"/],
    [
      service(urlAs(`${serviceLogin}:p`)),
      /^The setting DB_SERVICE_ROLE_KEY must belong to a login that may become "authenticated"/,
    ],
  ];
  try {
    for (const [logins, sentence] of wrong) {
      const problem = await checkLogins(logins);
      assert.match(problem ?? 'nothing', sentence);
      assert.match(problem!, /^[^\n]*\.$/);
    }
  } finally {
    await owner(`drop role ${plainLogin}; drop role ${bypassLogin}; drop role ${serviceLogin}`);
  }
  assert.match(
    (await checkOwner(ownerUrl.replace(/:[^:@]*@/, ':wrong@'))) ?? 'nothing',
    /^The setting DB_OWNER_URL must name a login and password/,
  );
});

test('names a missing migration, even in an empty database', async (t) => {
  const { urls, owner } = await createTestDatabase(t);
  await owner(`delete from tally.migrations where name = '20260905_01_analytics.sql'`);
  assert.equal(
    await checkLogins(urls),
    'The setting DB_URL must name a database that is up to date, ' +
      'but it lacks 20260905_01_analytics.sql: run "tally migrate".',
  );
  const empty = await createTestDatabase(t, { template: 'template0' });
  assert.match(
    (await checkLogins(empty.urls)) ?? 'nothing',
    /lacks 20260901_01_roles\.sql and \d+ more: run "tally migrate"/,
  );
});

test('rejects a database of 0.1.0 and names backup and restore', async (t) => {
  const { urls, owner, ownerUrl } = await createTestDatabase(t);
  await owner(`insert into tally.migrations values ('20260905_01_plans.sql', 'of 0.1.0')`);
  const upgradeHint =
    'write it to a folder with "tally backup", and fill an empty DATA_DIR or database from it with "tally restore".';
  assert.equal(
    await checkLogins(urls),
    `The setting DB_URL must name a database of this version, but it is of version 0.1.0: ${upgradeHint}`,
  );
  await owner(`delete from tally.migrations where name = '20261003_01_assistant_sql.sql'`);
  await assert.rejects(migrate(ownerUrl), {
    message: `The database is of version 0.1.0, which this version does not migrate: ${upgradeHint}`,
  });
  assert.deepEqual(await owner(`select from tally.migrations where name = '20261003_01_assistant_sql.sql'`), []);
});

test('throws and blames no setting when the server is unavailable', async (t) => {
  const { urls } = await createTestDatabase(t);
  await assert.rejects(checkLogins({ ...urls, authenticator: 'postgres://authenticator:x@127.0.0.1:1/x' }), {
    code: 'ECONNREFUSED',
  });
});
