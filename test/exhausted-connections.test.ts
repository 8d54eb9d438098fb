import assert from 'node:assert/strict';
import { test } from 'vitest';
import { eventuallyEquals } from './support/eventually.ts';
import { sendRequest } from './support/identity.ts';
import { startService } from './support/service.ts';

test('returns 503 with Retry-After until the database has a free connection', async (t) => {
  const { url, database, firstRun, stop } = await startService({ TOKEN_COUNT_RATE_LIMITS: 'off' });
  t.onTestFinished(stop);
  const signIn = async () => {
    const { email, password } = firstRun.members[0]!;
    const form = new URLSearchParams({ identifier: email, password });
    return await sendRequest(`${url}/_idp/v1/client/sign_ins`, 'POST', form, { origin: url });
  };
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
