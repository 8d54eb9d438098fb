import assert from 'node:assert/strict';
import { test } from 'vitest';
import { eventuallyEquals } from './support/eventually.ts';
import { sendRequest } from './support/identity.ts';
import { startService, type TestService } from './support/service.ts';

/** Returns a function that signs a member in. */
function createSignIn({ url, firstRun }: Pick<TestService, 'url' | 'firstRun'>) {
  const { email, password } = firstRun.members[0]!;
  const form = new URLSearchParams({ identifier: email, password });
  return () => sendRequest(`${url}/_idp/v1/client/sign_ins`, 'POST', form, { origin: url });
}

test('stays ready and names the disk when the database has no space for a write', async (t) => {
  const { url, database, firstRun, stop } = await startService();
  t.onTestFinished(stop);
  const signIn = createSignIn({ url, firstRun });
  const readReadiness = async () => {
    const response = await fetch(`${url}/readyz`);
    return [response.status, ((await response.json()) as { degraded?: string[] }).degraded];
  };
  assert.deepEqual(await readReadiness(), [200, undefined]);
  // The server's own error, since a disk of the test's server cannot be filled.
  await database.owner(
    `create function public.extend_file() returns trigger language plpgsql as
       $$ begin raise exception using errcode = 'disk_full', message = 'could not extend file'; end $$`,
  );
  await database.owner(
    'create trigger extend_file before insert on idp.sessions for each row execute function public.extend_file()',
  );
  const rejected = await signIn();
  assert.deepEqual([rejected.status, rejected.headers.get('retry-after')], [503, '60']);
  assert.deepEqual(await readReadiness(), [200, ['disk']]);
});

test('returns 503 with Retry-After until the database has a free connection', async (t) => {
  const { url, database, firstRun, stop } = await startService({ TOKEN_COUNT_RATE_LIMITS: 'off' });
  t.onTestFinished(stop);
  const signIn = createSignIn({ url, firstRun });
  const count = () =>
    sendRequest(
      `${url}/v1/messages/count_tokens`,
      'POST',
      { model: 'claude-opus-4-6', messages: [{ role: 'user', content: 'Hello' }] },
      { 'x-api-key': firstRun.api_key, 'svc-version': '2023-06-01' },
    );
  const fetchReadiness = async () => (await fetch(`${url}/readyz`)).status;
  assert.deepEqual([(await signIn()).status, (await count()).status, await fetchReadiness()], [200, 200, 200]);

  // The limit does not apply to superusers such as the owner.
  await database.owner(`alter database ${database.name} connection limit 0`);
  await database.owner(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
  );
  const rejected = await signIn();
  assert.equal(rejected.status, 503, JSON.stringify(rejected.body));
  assert.ok(Number(rejected.headers.get('retry-after')) > 0);
  assert.doesNotMatch(
    JSON.stringify(rejected.body),
    /connection|postgres|53300/i,
    'no detail of the database is exposed',
  );
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
  assert.equal(await fetchReadiness(), 503);
  assert.equal((await count()).status, 200, 'a known key continues to count');

  await database.owner(`alter database ${database.name} connection limit -1`);
  await eventuallyEquals(async () => (await signIn()).status, 200);
  await eventuallyEquals(fetchReadiness, 200);
});
