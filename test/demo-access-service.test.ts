import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { makeLink } from './support/demo-links.ts';
import { redeemTicket } from './support/demo-viewer.ts';
import { eventually } from './support/eventually.ts';
import { sendRequest, SITE } from './support/identity.ts';
import { startService, type TestService } from './support/service.ts';

const INTERNAL_TOKEN = 'internal-0123456789abcdef';

let service: TestService;
beforeAll(async () => {
  service = await startService({ BASE_URL: SITE, INTERNAL_API_TOKEN: INTERNAL_TOKEN, DEMO_ACCESS_RATE_LIMIT: '1000' });
});
afterAll(() => service.stop());

const operate = (method: string, path: string, body?: object, token = service.firstRun.operator_token) =>
  sendRequest(`${service.url}/api/internal/demo-access${path}`, method, body, { authorization: `Bearer ${token}` });

const invite = () => makeLink(service);
const signIn = (ticket: string) => redeemTicket(service, ticket);

test('ends the session here when the provider’s event reports the viewer’s sign-out', async () => {
  const { id, ticket } = await invite();
  const { browser, sessionId, call } = await signIn(ticket);
  assert.equal((await call('POST', '/api/demo-access/complete', { invitation_id: id, ticket })).status, 200);
  assert.equal((await browser.call('POST', `/client/sessions/${sessionId}/end`, {})).status, 200);
  await eventually(async () => {
    const [row] = await service.database.owner<{ session_status: string }>(
      'select session_status from public.demo_access_invitations where id = $1',
      [id],
    );
    return row!.session_status === 'ended';
  });
});

test('separates the tokens of demo access and of the revenue report', async () => {
  const { operator_token: demo, revenue_operator_token: revenue } = service.firstRun;
  const fetchReport = (token: string) =>
    sendRequest(`${service.url}/api/operator/revenue`, 'GET', undefined, { authorization: `Bearer ${token}` });
  assert.notEqual(demo, revenue);
  assert.deepEqual(
    [
      (await fetchReport(demo)).status,
      (await fetchReport(INTERNAL_TOKEN)).status,
      (await fetchReport(revenue!)).status,
    ],
    [401, 401, 200],
  );
  for (const path of ['', '/candidates']) assert.equal((await operate('GET', path, undefined, revenue)).status, 401);
  assert.equal((await operate('GET', '')).status, 200);
});

test('rejects the token of other internal calls on the operator’s routes', async () => {
  const { id } = await invite();
  for (const [method, path, body] of [
    ['POST', '', { label: 'Ada' }],
    ['GET', ''],
    ['GET', '/candidates'],
    ['DELETE', `/${id}`],
  ] as const)
    assert.equal((await operate(method, path, body, INTERNAL_TOKEN)).status, 401);
  const found = (await operate('GET', '')).body.invitations as { id: string; status: string }[];
  assert.equal(found.find((candidate) => candidate.id === id)!.status, 'unused');
});
