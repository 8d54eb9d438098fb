import assert from 'node:assert/strict';
import { test, type TestContext } from 'vitest';
import type { Feature } from '../../feature.ts';
import { callBackend, startIdentityApp, TestBrowser } from '../../../test/support/identity.ts';
import { createStoredIdentityData } from './stored-data.ts';

/** Signs up two members. What the first has ended or used is more than 30 days old; the second is active. */
async function createOldAndActiveRows(t: TestContext) {
  const { url, database, owner, identity } = await startIdentityApp(t);
  const old = new TestBrowser(url);
  const active = new TestBrowser(url);
  const { sessionId, userId } = await old.signUp();
  const { sessionId: activeSessionId } = await active.signUp();
  await callBackend(url, 'POST', `/sessions/${sessionId}/revoke`);
  for (let i = 0; i < 2; i += 1)
    await callBackend(url, 'POST', '/sign_in_tokens', { user_id: userId, expires_in_seconds: 60 });
  const monthAgo = `now() - interval '31 days'`;
  await owner(`update idp.sessions set updated_at = ${monthAgo} where id = $1`, [sessionId]);
  await owner(`update idp.clients set updated_at = ${monthAgo}`);
  await owner(`update idp.known_devices set signed_in_at = now() - interval '401 days' where user_id = $1`, [userId]);
  await owner(
    `update idp.sign_in_tokens set expires_at = ${monthAgo} where id = (select min(id) from idp.sign_in_tokens)`,
  );
  await owner(
    `insert into public.identity_webhook_deliveries (delivery_id, type, received_at)
     values ('old', 't', ${monthAgo}), ('new', 't', now())`,
  );
  const runScheduledTasks = async () => {
    const features: Feature[] = [identity, createStoredIdentityData(database.service)];
    for (const { tasks, schedules = [] } of features)
      for (const { task } of schedules) await tasks![task]!({} as never, {} as never);
  };
  const selectIds = async (text: string): Promise<string[]> => (await owner<{ id: string }>(text)).map(({ id }) => id);
  return { active, activeSessionId, runScheduledTasks, selectIds };
}

test('deletes what ended 30 days ago and keeps active rows', async (t) => {
  const { active, activeSessionId, runScheduledTasks, selectIds } = await createOldAndActiveRows(t);

  await runScheduledTasks();

  assert.deepEqual(await selectIds('select id from idp.sessions'), [activeSessionId]);
  assert.equal((await selectIds('select id from idp.clients')).length, 1);
  assert.equal((await selectIds('select id from idp.sign_in_tokens')).length, 1);
  assert.deepEqual(await selectIds('select delivery_id as id from public.identity_webhook_deliveries'), ['new']);
  assert.equal((await selectIds('select id from idp.users')).length, 2);
  assert.ok(await active.token(activeSessionId));
});
