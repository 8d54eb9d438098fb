import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'vitest';
import { OPERATOR_TOKEN, startDemoApp, UNCONFIRMED } from '../../../test/support/demo-access.ts';
import { getTicket } from '../../../test/support/demo-links.ts';
import { assertDocumented } from '../../../test/support/documented-responses.ts';
import { sendRequest, SITE, TestBrowser } from '../../../test/support/identity.ts';

const INTERNAL = '/api/internal/demo-access';
const ROUTES = [
  ['POST', INTERNAL],
  ['GET', INTERNAL],
  ['GET', `${INTERNAL}/candidates`],
  ['DELETE', `${INTERNAL}/5b1f8c1e-6f0a-4c55-9d2f-0b7d5a3c9e11`],
] as const;

test('does not accept the operator’s token as a member’s credential', async (t) => {
  const demo = await startDemoApp(t);
  const browser = new TestBrowser(demo.url);
  const member = await browser.token((await browser.signUp()).sessionId);
  const authorization = `Bearer ${OPERATOR_TOKEN}`;
  for (const [method, path] of [
    ['GET', '/api/me'],
    ['POST', '/api/demo-access/complete'],
  ] as const) {
    const body = method === 'POST' ? { invitation_id: 'a', ticket: 'b' } : undefined;
    assert.equal((await sendRequest(`${demo.url}${path}`, method, body, { authorization })).status, 401);
    const both = { authorization, cookie: `__session=${member}`, origin: SITE };
    assert.equal((await sendRequest(`${demo.url}${path}`, method, body, both)).status, 401);
  }
  const both = { cookie: `__session=${member}` };
  assert.equal((await demo.operate('GET', '', undefined, both)).status, 200, 'the cookie means nothing there');
});

test('returns NOT_CONFIGURED without the token’s setting or a demo account', async (t) => {
  const noToken = await startDemoApp(t, { operatorToken: undefined });
  const noAccount = await startDemoApp(t, { demoAccount: false });
  for (const [demo, routes] of [
    [noToken, ROUTES],
    [noAccount, ROUTES.filter(([method, path]) => method !== 'GET' || path !== INTERNAL)],
  ] as const)
    for (const [method, path] of routes) {
      const body = method === 'POST' ? { label: 'Ada' } : undefined;
      const answer = await demo.operate(method, path.slice(INTERNAL.length), body);
      assert.deepEqual([answer.status, answer.body.code], [503, 'NOT_CONFIGURED'], `${method} ${path}`);
    }
});

test('returns an unknown path for other routes, with any token', async (t) => {
  const demo = await startDemoApp(t);
  const { id } = await demo.invite();
  for (const path of ['/', `/${id}/session`, '/CANDIDATES', `/${id}%2f`, '//candidates'])
    assert.ok([404, 405].includes((await demo.operate('GET', path)).status), path);
  assert.equal((await demo.operate('DELETE', '/not-an-id')).status, 404);
});

test('returns the link of a created invitation once and stores only the ticket’s hash', async (t) => {
  const demo = await startDemoApp(t);
  const before = Date.now();
  const answer = await demo.operate('POST', '', { label: '  Ada at Example Ltd ' });
  assert.equal(answer.status, 201);
  assert.deepEqual(Object.keys(answer.body).sort(), ['expires_at', 'id', 'label', 'link']);
  assert.equal(answer.body.label, 'Ada at Example Ltd');
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  const { link, id, expires_at } = answer.body;
  const lifetime = Date.parse(expires_at) - before;
  assert.ok(lifetime > 86_390_000 && lifetime <= 86_410_000, String(lifetime));
  assert.ok(link.startsWith(`${SITE}/demo-access#code=`));
  const ticket = getTicket(link);
  assert.equal(Buffer.from(link.split('#code=')[1], 'base64url').toString(), `${id}.${ticket}`);
  const [row] = await demo.owner<{ hash: string; token_id: string; idp_user_id: string }>(
    `select encode(ticket_hash, 'hex') as hash, token_id, idp_user_id from public.demo_access_invitations`,
  );
  assert.equal(row!.hash, createHash('sha256').update(ticket).digest('hex'));
  assert.match(row!.token_id, /^sit_/);
  assert.equal(row!.idp_user_id, demo.demoId);

  const list = await demo.operate('GET', '');
  assert.doesNotMatch(JSON.stringify(list.body), /code=|eyJ|ticket|hash/);
  const [storedText] = await demo.owner<{ text: string }>(
    `select (select json_agg(i) from public.demo_access_invitations i)::text
         || (select json_agg(a) from public.demo_access_audit a)::text as text`,
  );
  for (const text of [storedText!.text, demo.log.join('\n')]) {
    assert.ok(!text.includes(ticket) && !text.includes(Buffer.from(ticket).toString('base64url').slice(0, 40)));
    assert.ok(!text.includes(OPERATOR_TOKEN));
  }
});

test('accepts only a label of one line with 1 to 120 characters', async (t) => {
  const demo = await startDemoApp(t);
  const bodies = [{}, { label: '' }, { label: '  ' }, { label: 'a'.repeat(121) }, { label: 7 }, { label: 'a\nb' }];
  for (const body of [...bodies, { label: 'a\0' }, { label: 'Ada', idp_user_id: 'user_other' }]) {
    const answer = await demo.operate('POST', '', body);
    assert.deepEqual([answer.status, answer.body.code], [400, 'INVALID_REQUEST'], JSON.stringify(body));
    assertDocumented('POST', INTERNAL, answer);
  }
  assert.equal((await demo.operate('POST', '', { label: 'é'.repeat(120) })).status, 201);
  assert.equal((await demo.operate('POST', '', { label: 'a'.repeat(200_000) })).status, 413);
  assert.equal((await demo.operate('GET', '?cursor=%00nonsense')).status, 400);
});

test('rejects an account that is not ready and states the missing step', async (t) => {
  const demo = await startDemoApp(t, { counts: { accounts: 1, holdings: 0 } });
  const answer = await demo.operate('POST', '', { label: 'Ada' });
  assert.deepEqual([answer.status, answer.body.code], [409, 'DEMO_ACCOUNT_NOT_READY']);
  assert.match(answer.body.message, /^user_\w+ has no holding: run "tally demo-account reset" first\.$/);
  assertDocumented('POST', INTERNAL, answer);
  assert.deepEqual(await demo.owner('select id from public.demo_access_invitations'), []);
});

const rejectedWith = (status: number) => ({ ...UNCONFIRMED, status, code: 'refused', detail: `status ${status}` });

test('keeps only the audit entry when the provider rejects a ticket', async (t) => {
  const demo = await startDemoApp(t);
  for (const [outcome, status, code] of [
    [{ ok: false, reason: 'not_found', traceId: 'trace_1' }, 409, 'ACCOUNT_MISMATCH'],
    [{ ok: false, reason: 'conflict', status: 422, code: 'user_locked', traceId: null }, 409, 'ACCOUNT_MISMATCH'],
    [rejectedWith(401), 503, 'UNAVAILABLE'],
    [rejectedWith(403), 503, 'UNAVAILABLE'],
    [{ ...rejectedWith(429), retryAfter: 17 }, 503, 'UNAVAILABLE'],
  ] as const) {
    demo.provider.createSignInToken = async () => outcome;
    const answer = await demo.operate('POST', '', { label: 'Ada' });
    assert.deepEqual([answer.status, answer.body.code], [status, code]);
    assertDocumented('POST', INTERNAL, answer);
    if (outcome.reason === 'unconfirmed' && outcome.retryAfter) assert.equal(answer.headers.get('retry-after'), '17');
  }
  assert.deepEqual(await demo.owner('select id from public.demo_access_invitations'), []);
  const entries = await demo.owner<{ outcome: string }>('select outcome from public.demo_access_audit order by id');
  assert.equal(entries.length, 10);
  assert.deepEqual(
    entries.slice(0, 4).map(({ outcome }) => outcome),
    ['intent', 'not_found', 'intent', 'conflict: 422 user_locked'],
  );
});

test('leaves a pending invitation when a proxy’s page replaces the response', async (t) => {
  const demo = await startDemoApp(t);
  demo.provider.createSignInToken = async () => ({ ...rejectedWith(403), code: null });
  const answer = await demo.operate('POST', '', { label: 'Ada' });
  assert.deepEqual([answer.status, answer.body.code], [503, 'UNAVAILABLE']);
  const [row] = (await demo.operate('GET', '')).body.invitations;
  assert.equal(row.status, 'revocation_pending', 'a ticket may exist');
});

test('leaves a pending invitation until its ticket has expired when a response is lost', async (t) => {
  const demo = await startDemoApp(t);
  const { createSignInToken } = demo.provider;
  demo.provider.createSignInToken = async (...callArguments) => {
    await createSignInToken(...callArguments); // created, and the response is lost
    return UNCONFIRMED;
  };
  assert.equal((await demo.operate('POST', '', { label: 'Ada' })).status, 503);
  const listed = async () => (await demo.operate('GET', '')).body.invitations[0];
  const { id, status, active } = await listed();
  assert.deepEqual([status, active], ['revocation_pending', false]);
  const answer = await demo.operate('DELETE', `/${id}`);
  assert.deepEqual([answer.status, answer.body.code], [503, 'REVOCATION_UNCONFIRMED']);
  assert.ok(answer.headers.get('retry-after'));
  await demo.owner(`update public.demo_access_invitations set expires_at = now() - interval '61 seconds'`);
  assert.equal((await demo.operate('DELETE', `/${id}`)).status, 200);
  assert.equal((await listed()).status, 'revoked');
});

const rejectTicketWrites = `
  create function public.refuse() returns trigger language plpgsql as $$
    begin
      if new.token_id is not null and new.revoke_requested_at is null then raise 'disk full'; end if;
      return new;
    end $$;
  create trigger refuse before update on public.demo_access_invitations for each row execute function public.refuse()`;

test('revokes a ticket at once when it cannot be stored', async (t) => {
  const demo = await startDemoApp(t);
  await demo.owner(rejectTicketWrites);
  const answer = await demo.operate('POST', '', { label: 'Ada' });
  assert.deepEqual([answer.status, answer.body.code], [503, 'UNAVAILABLE']);
  assert.deepEqual(await demo.owner('select status from idp.sign_in_tokens'), [{ status: 'revoked' }]);
  const { body } = await demo.operate('GET', '');
  assert.deepEqual([body.invitations.length, body.invitations[0].status], [1, 'revoked']);
});

test('leaves a ticket to the reconciler when it can be neither stored nor revoked', async (t) => {
  const demo = await startDemoApp(t);
  await demo.owner(rejectTicketWrites);
  const { revokeSignInToken } = demo.provider;
  demo.provider.revokeSignInToken = async () => UNCONFIRMED;
  assert.equal((await demo.operate('POST', '', { label: 'Ada' })).status, 503);
  const { body } = await demo.operate('GET', '');
  assert.equal(body.invitations[0].status, 'revocation_pending');
  demo.provider.revokeSignInToken = revokeSignInToken;
  await demo.reconcile();
  assert.deepEqual(await demo.owner('select status from idp.sign_in_tokens'), [{ status: 'revoked' }]);
  assert.equal((await demo.operate('GET', '')).body.invitations[0].status, 'revoked');
});

test('returns no link when the invitation is revoked during the creation of its ticket', async (t) => {
  const demo = await startDemoApp(t);
  const { createSignInToken } = demo.provider;
  demo.provider.createSignInToken = async (...callArguments) => {
    const [{ id, status }] = (await demo.operate('GET', '')).body.invitations;
    assert.equal(status, 'revocation_pending', 'until it can be used');
    assert.equal((await demo.operate('DELETE', `/${id}`)).status, 503);
    return createSignInToken(...callArguments);
  };
  assert.equal((await demo.operate('POST', '', { label: 'Ada' })).status, 503);
  assert.deepEqual(await demo.owner('select status from idp.sign_in_tokens'), [{ status: 'revoked' }]);
  assert.equal((await demo.operate('GET', '')).body.invitations[0].status, 'revoked');
});
