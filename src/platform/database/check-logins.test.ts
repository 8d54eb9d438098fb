import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test, type TestContext } from 'vitest';
import { withDatabase } from '../../../test/support/cluster.ts';
import { createTestDatabase } from '../../../test/support/database.ts';
import { checkLogins, checkOwner } from './check-logins.ts';
import { migrate } from './migrate.ts';

test('accepts logins as the migrations create them', async (t) => {
  const { urls, ownerUrl } = await createTestDatabase(t);
  assert.deepEqual([await checkLogins(urls), await checkOwner(ownerUrl)], [undefined, undefined]);
});

/** Creates logins without a necessary privilege, or with a superfluous one. `urlAs` returns the URL of a login. */
async function createUnsuitableLogins(t: TestContext) {
  const { urls, owner, ownerUrl } = await createTestDatabase(t);
  const createName = (prefix: string) => `${prefix}_${randomBytes(4).toString('hex')}`;
  const plain = createName('plain');
  const bypass = createName('passing');
  const service = createName('serving');
  await owner(
    `create role ${plain} login password 'p'; grant anon to ${plain};
     create role ${bypass} login bypassrls password 'p'; grant anon, authenticated to ${bypass};
     create role ${service} login noinherit password 'p'; grant service_role to ${service};
     alter role ${service} set role = 'service_role'`,
  );
  t.onTestFinished(async () => {
    await owner(`drop role ${plain}; drop role ${bypass}; drop role ${service}`);
  });
  const urlAs = (login: string): string => urls.authenticator.replace(/\/\/[^@]*@/, `//${login}@`);
  return { urls, ownerUrl, urlAs, plain, bypass, service };
}

const assertProblem = (problem: string | undefined, expected: RegExp): void => {
  assert.match(problem ?? 'nothing', expected);
  assert.match(problem!, /^[^\n]*\.$/);
};

test('names DB_URL when its login is rejected or unsuitable', async (t) => {
  const { urls, ownerUrl, urlAs, plain, bypass } = await createUnsuitableLogins(t);
  const problems: [url: string, problem: RegExp][] = [
    [urlAs('authenticator:wrong'), /^The setting DB_URL must name a login and password .*"authenticator"/],
    [urlAs('authenticator'), /^The setting DB_URL must name a login and password .*password/],
    [urlAs('nobody_of_this_name:p'), /^The setting DB_URL must name a login .*"nobody_of_this_name"/],
    [ownerUrl, /^The setting DB_URL must name a login that is no superuser /],
    [urlAs(`${bypass}:p`), / must name a login .* obeys row-level security, unlike "passing/],
    [urlAs(`${plain}:p`), /^The setting DB_URL must name a login that may become "anon" and "authenticated"/],
    [withDatabase(urls.authenticator, 'not_there'), /^The setting DB_URL must name an existing database /],
  ];

  for (const [authenticator, expected] of problems)
    assertProblem(await checkLogins({ ...urls, authenticator }), expected);
});

test('names DB_SERVICE_ROLE_KEY when its login is rejected or unsuitable', async (t) => {
  const { urls, ownerUrl, urlAs, service } = await createUnsuitableLogins(t);
  const START = '^The setting DB_SERVICE_ROLE_KEY must';
  const problems: [url: string, problem: string][] = [
    [urls.service.replace(/:[^:@]*@/, ':wrong@'), ' be the password of the login "service_authenticator"'],
    [ownerUrl, ' belong to a login whose default role is "service_role"'],
    [urlAs(`${service}:p`), ' belong to a login that may become "authenticated"'],
  ];

  for (const [url, expected] of problems)
    assertProblem(await checkLogins({ ...urls, service: url }), new RegExp(START + expected));
});

test('names DB_OWNER_URL when its login is rejected', async (t) => {
  const { ownerUrl } = await createTestDatabase(t);

  const problem = await checkOwner(ownerUrl.replace(/:[^:@]*@/, ':wrong@'));

  assert.match(problem ?? 'nothing', /^The setting DB_OWNER_URL must name a login and password/);
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

test('rejects a database that needs a newer version', async (t) => {
  const { urls, owner } = await createTestDatabase(t);
  await owner(`insert into tally.migrations values ('29990101_01_later.sql', 'x', '999.0.0')`);
  assert.equal(
    await checkLogins(urls),
    'The setting DB_URL must name a database of this version, but it needs Tally 999.0.0 or newer: ' +
      'start that version, or restore the backup from before the upgrade.',
  );
});

test('rejects a database of 0.1.0 and names the version between', async (t) => {
  const { urls, owner, ownerUrl } = await createTestDatabase(t);
  await owner(`insert into tally.migrations values ('20260905_01_plans.sql', 'of 0.1.0')`);
  const upgradeHint = 'upgrade to 0.2.0 first, as its release notes describe.';
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

test('names DB_ASSISTANT_KEY when it is not the password of the login', async (t) => {
  const { urls } = await createTestDatabase(t);
  const assistant = urls.assistant!.replace(/:[^:@]*@/, ':wrong@');
  assert.match(
    (await checkLogins({ ...urls, assistant })) ?? 'nothing',
    /^The setting DB_ASSISTANT_KEY must be the password of the login "assistant_authenticator"/,
  );
});

test('names DB_WORKER_URL when it leads to another database or to no server', async (t) => {
  const { urls } = await createTestDatabase(t);
  const other = await createTestDatabase(t);
  assert.equal(await checkLogins({ ...urls, worker: urls.service }), undefined);
  assert.equal(
    await checkLogins({ ...urls, worker: other.urls.service }),
    'The setting DB_WORKER_URL must name the database of DB_URL, and it names another.',
  );
  await assert.rejects(checkLogins({ ...urls, worker: 'postgres://a:b@127.0.0.1:1/x' }), {
    code: 'ECONNREFUSED',
    setting: 'DB_WORKER_URL',
  });
});
