import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { eventuallyEquals } from './support/eventually.ts';
import { sendRequest, TestBrowser } from './support/identity.ts';
import { startService, type TestService } from './support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ WORKER: 'off', API_RATE_LIMIT: '9999' });
});
afterAll(() => service.stop());

/** Signs a new member up who watches a ticker. */
async function signUpMember() {
  const browser = new TestBrowser(service.url, service.url);
  const person = await browser.signUp();
  const authorization = `Bearer ${await browser.token(person.sessionId)}`;
  const call = (method: string, path: string, body?: object) =>
    sendRequest(service.url + path, method, body, { authorization });
  assert.ok((await call('POST', '/api/watchlist', { symbol: 'AAPL' })).status < 300);
  return { ...person, browser, call };
}

test('limits the files of the member’s own rows in an hour', async () => {
  const member = await signUpMember();
  const other = await signUpMember();
  const response = await member.call('GET', '/api/me/export');
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename="tally-[\d-]{10}\.json"$/);
  assert.equal(response.headers.get('cache-control'), 'private, no-store');
  const text = JSON.stringify(response.body);
  assert.deepEqual([response.body.format, response.body.idp_id], ['tally-member-1', member.userId]);
  assert.deepEqual(
    response.body.tables['public.watchlist_items'].map(({ symbol }: { symbol: string }) => symbol),
    ['AAPL'],
  );
  assert.ok(text.includes(member.email) && !text.includes(other.email) && !text.includes(other.userId));
  for (let count = 1; count < 10; count += 1) assert.equal((await member.call('GET', '/api/me/export')).status, 200);
  const limited = await member.call('GET', '/api/me/export');
  assert.deepEqual([limited.status, limited.body.code], [429, 'RATE_LIMITED']);
  assert.equal((await other.call('GET', '/api/me/export')).status, 200);
});

test('deletes the own account after the password, with all data and nobody else’s', async () => {
  const member = await signUpMember();
  const other = await signUpMember();
  const { owner } = service.database;
  await owner(`update idp.sessions set created_at = now() - interval '11 minutes' where id = $1`, [member.sessionId]);
  const stale = await member.browser.call('DELETE', '/me');
  assert.deepEqual([stale.status, stale.body.errors[0].code], [403, 'session_reverification_required']);
  const reentered = await member.browser.call(
    'POST',
    `/client/sessions/${member.sessionId}/verify/attempt_first_factor`,
    {
      strategy: 'password',
      password: member.password,
    },
  );
  assert.equal(reentered.status, 200);

  const deleted = await member.browser.call('POST', '/me?_method=DELETE', {});
  assert.deepEqual([deleted.status, deleted.body.response.deleted], [200, true]);
  const countRows = async (id: string) =>
    (
      await owner<{ rows: number }>(
        `select ((select count(*) from public.all_users where idp_id = $1)
              + (select count(*) from public.watchlist_items where idp_id = $1)
              + (select count(*) from idp.users where id = $1))::int as rows`,
        [id],
      )
    )[0]!.rows;
  await eventuallyEquals(() => countRows(member.userId), 0);
  await eventuallyEquals(async () => (await member.call('GET', '/api/me')).status, 401);
  assert.equal((await member.browser.call('DELETE', '/me')).status, 401);
  const signIn = { identifier: member.email, password: member.password };
  assert.equal((await new TestBrowser(service.url, service.url).call('POST', '/client/sign_ins', signIn)).status, 422);
  assert.equal(await countRows(other.userId), 3);
  assert.equal((await other.call('GET', '/api/me')).status, 200);
});
