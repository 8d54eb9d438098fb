import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createTestHttpApp } from '../../../test/support/http-app.ts';
import { encodeDocument } from '../../platform/http/encoded-document.ts';
import { createSite } from './site.ts';

const ticket = { id: 'sit_1', user_id: 'user_sample', status: 'pending', token: 'a.b.c' };

type Accounts = Parameters<typeof createSite>[0]['accounts'];

/** Starts the routes with a provider that gives this result for each ticket. Returns a call and the users asked for. */
async function startSite(
  accounts: Accounts,
  result: object = { ok: true, value: ticket },
  options: Pick<Parameters<typeof createSite>[0], 'documents'> = {},
) {
  const users: string[] = [];
  const app = await createTestHttpApp({ trustedProxies: ['127.0.0.1'] });
  const site = createSite({
    accounts,
    requestsPerMinute: 2,
    recipients: { identity: false, banks: false, brokerages: false, payments: false, model: false, analytics: false },
    ...options,
    provider: {
      async createSignInToken(userId: string) {
        users.push(userId);
        return { traceId: null, ...result } as never;
      },
    },
  });
  await site.register(app);
  const open = async (from = '192.0.2.1') => {
    const headers = { 'x-forwarded-for': from };
    const response = await app.inject({ method: 'POST', url: '/api/sample-portfolio', headers });
    return { status: response.statusCode, headers: response.headers, body: response.json<Record<string, unknown>>() };
  };
  const read = async (name: string) => {
    const response = await app.inject({ method: 'GET', url: `/api/site/documents/${name}` });
    return { status: response.statusCode, headers: response.headers, body: response.json<Record<string, string>>() };
  };
  return { app, open, read, users };
}

test('creates a ticket of the sample user that nobody may cache', async () => {
  const { open, users } = await startSite({ demoAccountId: 'user_demo', sampleUserId: 'user_sample' });
  const { status, headers, body } = await open();
  assert.deepEqual([status, body, headers['cache-control']], [201, { ticket: 'a.b.c' }, 'no-store']);
  assert.deepEqual(users, ['user_sample']);
});

test('returns 404 without a call of the provider when no sample user exists', async () => {
  for (const accounts of [
    { demoAccountId: 'user_demo', sampleUserId: undefined },
    { demoAccountId: undefined, sampleUserId: undefined },
    { demoAccountId: 'user_demo', sampleUserId: 'user_demo' },
  ]) {
    const { open, users } = await startSite(accounts);
    const { status, body } = await open();
    assert.deepEqual([status, body['code'], users], [404, 'NOT_FOUND', []]);
  }
});

test('returns 404 for an unknown sample user and 503 when the provider is unavailable', async () => {
  const accounts = { demoAccountId: undefined, sampleUserId: 'user_sample' };
  const unconfirmed = { ok: false, reason: 'unconfirmed', detail: 'no answer', status: null, code: null };
  for (const [result, status, retryAfter] of [
    [{ ok: false, reason: 'not_found' }, 404, undefined],
    [{ ...unconfirmed, retryAfter: null }, 503, '5'],
    [{ ...unconfirmed, retryAfter: 7 }, 503, '7'],
    [{ ok: false, reason: 'conflict', status: 422, code: 'user_locked' }, 503, '5'],
  ] as const) {
    const { open } = await startSite(accounts, result);
    const response = await open();
    assert.deepEqual([response.status, response.headers['retry-after']], [status, retryAfter]);
  }
});

test('limits the tickets of one address and not those of another', async () => {
  const { open, users } = await startSite({ demoAccountId: undefined, sampleUserId: 'user_sample' });
  const statuses = [];
  for (let count = 0; count < 3; count += 1) statuses.push((await open()).status);
  assert.deepEqual([statuses, (await open('192.0.2.2')).status, users.length], [[201, 201, 429], 201, 3]);
});

const NO_ACCOUNTS = { demoAccountId: undefined, sampleUserId: undefined };

test('returns the operator’s pages and default texts of the others', async () => {
  const { read } = await startSite(NO_ACCOUNTS, undefined, {
    documents: { terms: '# Terms of Example\n\nBe *kind*.' },
  });
  const terms = await read('terms');
  assert.deepEqual(
    [terms.status, terms.body],
    [200, { title: 'Terms of Example', html: '<p>Be <em>kind</em>.</p>\n', source: 'operator' }],
  );
  assert.equal(terms.headers['cache-control'], 'no-cache');
  const privacy = await read('privacy');
  assert.deepEqual([privacy.body['title'], privacy.body['source']], ['Privacy', 'default']);
  for (const name of ['imprint', 'constructor', '..%2Fterms']) assert.equal((await read(name)).status, 404, name);
});

test('sends the compressed form when a client accepts it', async () => {
  const { app, read } = await startSite(NO_ACCOUNTS);
  const { body } = await read('privacy');
  const { encoded } = await encodeDocument(JSON.stringify(body));
  for (const encoding of ['br', 'gzip']) {
    const headers = { 'accept-encoding': encoding };
    const response = await app.inject({ url: '/api/site/documents/privacy', headers });
    assert.equal(response.headers['content-encoding'], encoding);
    assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
    // A response that is compressed for its request alone has a larger form.
    assert.ok(response.rawPayload.equals(encoded.get(encoding)!), `${response.rawPayload.length} bytes`);
  }
});

/** Returns documents whose terms are read with `readTerms`, which each rendering calls once. */
const createDocuments = (readTerms: () => string) => ({
  get terms() {
    return readTerms();
  },
});

test('renders a page once when it is read twice', async () => {
  let renderings = 0;
  const documents = createDocuments(() => {
    renderings += 1;
    return '# Terms';
  });
  const { read } = await startSite(NO_ACCOUNTS, undefined, { documents });
  for (const { status } of [await read('terms'), await read('terms')]) assert.equal(status, 200);
  assert.equal(renderings, 1);
});

test('renders a page again when the first rendering failed', async () => {
  let renderings = 0;
  const documents = createDocuments(() => {
    renderings += 1;
    if (renderings === 1) throw new Error('no memory');
    return '# Terms';
  });
  const { read } = await startSite(NO_ACCOUNTS, undefined, { documents });
  assert.deepEqual([(await read('terms')).status, (await read('terms')).status], [500, 200]);
});
