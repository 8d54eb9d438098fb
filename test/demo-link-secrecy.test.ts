// @module-tag slow
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { afterAll, beforeAll, test } from 'vitest';
import { type Link, makeLink, findInvitation } from './support/demo-links.ts';
import { eventually } from './support/eventually.ts';
import { dumpDatabase, findTraces } from './support/find-traces.ts';
import { type LoggedService, startLoggedService } from './support/logged-service.ts';

const METRICS_TOKEN = 'm'.repeat(32);

let service: LoggedService;
let link: Link;
beforeAll(async () => {
  service = await startLoggedService({ TRUSTED_PROXIES: '127.0.0.1', METRICS_TOKEN });
  link = await makeLink(service);
});
afterAll(() => service.stop());

interface SentRequest {
  method?: string;
  headers?: Record<string, string>;
}

/** Sends a request without normalizing its path and returns the response. */
const send = (
  path: string,
  { method = 'GET', headers = {} }: SentRequest = {},
): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    request(service.url, { path, method, headers: { accept: 'text/html', ...headers } }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => resolve({ status: response.statusCode!, body }));
    })
      .on('error', reject)
      .end();
  });

/** Changes that mail programs and people make to a link that then reaches the server. */
const getMangledCodes: readonly ((code: string) => string)[] = [
  (code) => `/demo-access%23code=${code}`,
  (code) => `/demo-access%23code%3D${code}`,
  (code) => `/demo-access%23code%3d${code}%3E`,
  (code) => `/demo-access%2523code=${code}`,
  (code) => `/demo-access%252523code%25253D${code}`,
  (code) => `/DEMO-ACCESS%23CODE=${code}`,
  (code) => `/demo%2Daccess%23code=${code}`,
  (code) => `/%64emo-access%23code=${code}`,
  (code) => `//demo-access%23code=${code}`,
  (code) => `/demo-access?code=${code}`,
  (code) => `/demo-access/?code=${code}`,
  (code) => `/demo-access%3Fcode=${code}`,
  (code) => `/demo-access/code=${code}`,
  (code) => `/demo-access/%23code=${code}`,
  (code) => `/demo-access/${code}`,
  (code) => `/demo-access&code=${code}`,
  (code) => `/demo-access;code=${code}`,
  (code) => `/demo-accesscode=${code}`,
  (code) => `/demo-access%20%23code=${code}.`,
  (code) => `/demo-access%23code=${code}%E2%80%9D%E0%A4%A`,
  (code) => `/demo-access%23code=${code}%`,
];

/** Unknown addresses, and addresses of interfaces that handle links. */
const foreignRoutes: readonly [method: string, path: (code: string, ticket: string) => string][] = [
  ['GET', (code) => `/x/demo-access%23code=${code}`],
  ['GET', (code) => `/%23code=${code}`],
  ['GET', (code) => `/code=${code}`],
  ['GET', (code) => `/${code}`],
  ['GET', (code) => `http://tally.test/demo-access%23code=${code}`],
  ['GET', (code) => `/sign-in?next=%2Fdemo-access%23code%3D${code}`],
  ['POST', (code) => `/demo-access%23code=${code}`],
  ['GET', (code) => `/v1/models/demo-access%23code=${code}`],
  ['GET', (code) => `/api/demo-access%23code=${code}`],
  ['POST', (code) => `/api/demo-access/complete?code=${code}`],
  ['DELETE', (code) => `/api/internal/demo-access/${code}`],
  ['DELETE', (code) => `/api/internal/demo-access/https%3A%2F%2Ftally.test%2Fdemo-access%23code%3D${code}`],
  ['GET', (code) => `/api/internal/demo-access?cursor=${code}`],
  ['GET', (_code, ticket) => `/_idp/v1/client/sign_ins?strategy=ticket&ticket=${ticket}`],
  ['POST', (_code, ticket) => `/_idp/v1/client/sign_ins?__clerk_ticket=${ticket}`],
  ['GET', (_code, ticket) => `/_idp/v1/tickets/accept?ticket=${ticket}`],
  ['GET', (_code, ticket) => `/_idp/v1/client/ticket=${ticket}`],
  ['POST', (_code, ticket) => `/_idp/v1/sign_in_tokens/${ticket}/revoke`],
];

test('shows the entry page and logs no code when a link is mangled in transit', async () => {
  const operator = { authorization: `Bearer ${service.firstRun.operator_token}` };
  for (const path of getMangledCodes) {
    const { status, body } = await send(path(link.code));
    assert.equal(status, 200, path('CODE'));
    assert.match(body, /<title>Open the Tally demo<\/title>/, path('CODE'));
    // The length of a short code reveals nothing.
    assert.equal((await send(path('SECRET'))).status, 200, path('SECRET'));
    assert.equal((await send(path(link.code), { method: 'HEAD' })).status, 200);
  }
  for (const [method, path] of foreignRoutes) {
    const { status } = await send(path(link.code, link.ticket), { method, headers: operator });
    assert.ok(status < 500, `${method} ${path('CODE', 'TICKET')} is answered with ${status}`);
  }
  for (const name of ['referer', 'x-original-url', 'user-agent', 'origin', 'x-request-id', 'traceparent'])
    await send('/demo-access', { headers: { [name]: `https://tally.test/demo-access#code=${link.code}` } });
  await send('/last-request');

  await eventually(() => service.log().includes('/last-request'));
  const secrets = [link.code, link.ticket, link.ticket.split('.')[2]!, 'SECRET'];
  assert.deepEqual(findTraces(service.log(), secrets), [], 'the log');
  const metrics = await send('/metrics', { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  assert.match(metrics.body, /tally_http_requests_total\{method="GET",route="\/demo-access",status="200"\}/);
  assert.deepEqual(findTraces(metrics.body, secrets), [], 'the metrics');
  assert.deepEqual(findTraces(await dumpDatabase(service.database), secrets), [], 'the database');
  assert.equal((await findInvitation(service, link.id)).status, 'unused', 'nothing was redeemed');
});
