import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { eventually } from './support/eventually.ts';
import { sendRequest } from './support/identity.ts';
import { type LoggedService, startLoggedService } from './support/logged-service.ts';

const BASE_URL = 'https://tally.example';
const OPERATOR_TOKEN = 'f0'.repeat(32);

let service: LoggedService;
beforeAll(async () => {
  service = await startLoggedService({ BASE_URL, OPERATOR_TOKEN });
});
afterAll(() => service?.stop());

const listReports = () =>
  service
    .log()
    .split('\n')
    .filter((line) => line.includes('opened at another address than BASE_URL'));

const signIn = (headers: Record<string, string>) =>
  sendRequest(
    `${service.url}/_idp/v1/client/sign_ins`,
    'POST',
    { identifier: 'a@example.com', password: 'x' },
    headers,
  );

test('reports nothing when a page of another site sends a request', async () => {
  const { status, body } = await signIn({ origin: 'https://evil.test' });
  assert.deepEqual([status, body.errors[0].code], [403, 'origin_invalid']);
  assert.deepEqual(listReports(), []);
});

test('names both addresses in the answer and in one line of the log when BASE_URL differs from the page', async () => {
  const { host } = new URL(service.url);
  for (const origin of [`http://${host}`, `http://${host}`]) {
    const { status, body } = await signIn({ origin });
    assert.equal(status, 403);
    assert.match(body.errors[0].long_message, new RegExp(`^This page was opened at ${origin}, .* ${BASE_URL}\\.`));
  }
  const started = await sendRequest(`${service.url}/api/operator/session`, 'POST', undefined, {
    authorization: `Bearer ${OPERATOR_TOKEN}`,
  });
  const cookie = started.headers.getSetCookie()[0]!.split(';')[0]!;
  const ended = await sendRequest(`${service.url}/api/operator/session`, 'DELETE', undefined, {
    cookie,
    origin: `http://${host}`,
  });
  assert.equal(ended.status, 403);
  assert.match(ended.body.message, /^This page was opened at http:/);
  // The log is written in batches.
  await eventually(() => listReports().length > 0);
  const reports = listReports();
  assert.equal(reports.length, 1);
  assert.match(reports[0]!, new RegExp(`"origin":"http://${host}","BASE_URL":"${BASE_URL}"`));
});
