import assert from 'node:assert/strict';
import { test } from 'vitest';
import { setPasswordByLink } from '../../../test/support/account-links.ts';
import { createEmail, startIdentityApp, TestBrowser } from '../../../test/support/identity.ts';
import { sendDuringChange } from '../../../test/support/locked-account.ts';
import { deleteUser } from './user-queries.ts';

test('prints a link for a new password and ends every session when a password is reset', async (t) => {
  const { url, getEmbedded: embedded, owner } = await startIdentityApp(t);
  const browser = new TestBrowser(url);
  const { userId, sessionId, email, password } = await browser.signUp();
  const reset = await embedded().resetPassword(userId);
  assert.ok(reset.ok);
  const tokens = await browser.call('POST', `/client/sessions/${sessionId}/tokens`, {});
  assert.ok(tokens.status === 401 || tokens.status === 404, String(tokens.status));
  const signIn = async (attempts: string) =>
    (await new TestBrowser(url).call('POST', '/client/sign_ins', { identifier: email, password: attempts })).status;
  const chosen = 'a password of my own';
  assert.deepEqual([await signIn(password), await signIn(chosen)], [422, 422]);
  assert.equal((await setPasswordByLink(url, reset.link, chosen)).status, 200);
  assert.deepEqual([await signIn(password), await signIn(chosen)], [422, 200]);
  assert.equal((await setPasswordByLink(url, reset.link, 'a second password')).status, 400, 'the link works once');
  const sentEvents = await owner<{ type: string }>(
    `select payload::jsonb ->> 'type' as type from idp.webhook_messages where payload::text like '%' || $1 || '%'`,
    [userId],
  );
  const types = sentEvents.map(({ type }) => type);
  assert.ok(types.includes('user.updated') && types.includes('session.revoked'), types.join());
  const stored = await owner<{ row: string }>('select to_jsonb(l)::text as row from idp.one_time_links l');
  assert.ok(!stored[0]!.row.includes(reset.link.split('.').at(-1)!), 'only the hash of the code is stored');
});

test('sets no password when the account has none or does not exist', async (t) => {
  const { getEmbedded: embedded, owner } = await startIdentityApp(t);
  await owner(`insert into idp.users (id, email, email_address_id) values ('user_demo', $1, 'idn_1')`, [createEmail()]);
  assert.deepEqual(await embedded().resetPassword('user_demo'), { ok: false, reason: 'no_password' });
  assert.deepEqual(await embedded().resetPassword('user_hosted'), { ok: false, reason: 'external_provider' });
});

test('returns a reason when the account is deleted during the reset', async (t) => {
  const { url, getEmbedded: embedded, owner, database } = await startIdentityApp(t);
  const { userId } = await new TestBrowser(url).signUp();
  const reset = await sendDuringChange(
    { database, owner },
    userId,
    () => embedded().resetPassword(userId),
    (sql) => deleteUser(sql, userId),
  );
  assert.deepEqual(reset, { ok: false, reason: 'external_provider' });
});
