import assert from 'node:assert/strict';
import { test } from 'vitest';
import { startAttempt, startConnectionsApp } from '../../../test/support/connections-app.ts';
import { eventually, eventuallyEquals } from '../../../test/support/eventually.ts';

test.for(['bank', 'brokerage'])('leaves no page of a %s when the member is deleted during a start', async (kind, t) => {
  const app = await startConnectionsApp();
  t.onTestFinished(() => app.close());
  const member = 'user_deleted_during_start';
  await app.owner(`insert into public.all_users (idp_id) values ($1)`, [member]);
  await startAttempt(app, member, { kind });

  const isWaiting = async () =>
    (
      await app.owner(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1`,
      )
    ).length > 0;
  const { response } = await app.deleteMember(member, async () => {
    const pending = app.call('POST', '/api/connections/start', member, { kind });
    await eventually(isWaiting);
    // Not awaited here, since the request waits for the end of the deletion.
    return { response: pending };
  });
  assert.ok((await response).status >= 400);
  await app.startWork();
  const countPages = async () =>
    (
      await app.owner<{ pages: number; portals: number; users: number }>(
        `select (select count(*)::int from bank_sandbox.link_sessions) as pages,
                (select count(*)::int from brokerage_sandbox.portals) as portals,
                (select count(*)::int from brokerage_sandbox.users) as users`,
      )
    )[0];
  await eventuallyEquals(countPages, { pages: 0, portals: 0, users: 0 });
});
