import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { FastifyRequest } from 'fastify';
import { createTestHttpApp } from '../../../test/support/http-app.ts';
import { sendRequest } from '../../../test/support/identity.ts';
import { AppError } from '../../errors.ts';
import type { HttpApp } from '../http/app-type.ts';
import { guardRoutes, publicGuard } from '../http/guard.ts';
import { createMemberLimiters, limitPerMember } from '../http/member-rate-limit.ts';
import { createGuards, type RejectionRule } from './guards.ts';
import type { Member } from './member.ts';

const now = (): number => Date.now() / 1000;
/** Times of the last verification of members that have another than now. */
const verifiedAtByMember: Record<string, () => number | null> = {
  recent: () => now() - 300,
  stale: () => now() - 601,
  unknown: () => null,
};

const guards = createGuards(async ({ headers: { 'x-member': idpId } }, { gate = true } = {}) => {
  if (typeof idpId !== 'string' || (gate && idpId === 'gated')) throw new AppError('UNAUTHENTICATED');
  const verifiedAt = verifiedAtByMember[idpId] === undefined ? now() : verifiedAtByMember[idpId]();
  return { idpId, sessionId: 'sess_1', verifiedAt, isDemoAccount: idpId === 'demo', isSampleUser: idpId === 'sample' };
});

const editors: Record<string, readonly RejectionRule[]> = {
  watchlist: ['demo-tour', 'sample-user'],
  investments: ['sample-user'],
  keys: ['demo-account', 'sample-user'],
  everything: ['demo-account', 'demo-tour', 'sample-user'],
  'own-data': ['shared-account'],
};

let app: HttpApp;
let url = '';

beforeAll(async () => {
  app = await createTestHttpApp({ bodyLimit: 1_000 });
  app.get('/api/me', { config: { guard: guards.member } }, async (request) => ({
    id: guards.getMember(request).idpId,
  }));
  app.get('/api/ungated', { config: { guard: guards.memberWithoutSessionGate } }, async (request) => ({
    id: guards.getMember(request).idpId,
  }));
  for (const [name, rejects] of Object.entries(editors))
    app.post(`/api/${name}`, { config: { guard: guards.editor({ rejects }) } }, async (request) => ({
      id: guards.getMember(request).idpId,
    }));
  app.post(
    '/api/lasting',
    { config: { guard: guards.editor({ rejects: ['demo-account'], recent: true }) } },
    async () => ({
      id: 'made',
    }),
  );
  app.get('/api/open', { config: { guard: publicGuard('a test') } }, async (request) => ({
    id: guards.getMember(request).idpId,
  }));
  await app.register(async (scope: HttpApp) => {
    guardRoutes(scope, { reads: publicGuard('a test'), writes: guards.member });
    const existsFor = async ({ headers }: { headers: object }): Promise<boolean> => !('x-hidden' in headers);
    scope.get('/api/scoped', async () => ({ read: true }));
    scope.delete('/api/scoped', async () => ({ gone: true }));
    scope.put('/api/own', { config: { guard: publicGuard('a test') } }, async () => ({ own: true }));
    scope.post('/api/hidden', { config: { isVisibleTo: existsFor } }, async () => ({ here: true }));
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterAll(() => app.close());

test('runs again when a guard is called a second time for one request', async () => {
  let isSignedIn = true;
  const requireMember = async (): Promise<Member> => {
    if (!isSignedIn) throw new AppError('UNAUTHENTICATED');
    return { idpId: 'user_a', sessionId: 'sess_1', verifiedAt: null, isDemoAccount: false, isSampleUser: false };
  };
  const { member, editor, memberWithoutSessionGate } = createGuards(
    limitPerMember(requireMember, createMemberLimiters(100)),
  );
  for (const guard of [member, editor({ rejects: ['demo-tour'] }), memberWithoutSessionGate]) {
    const request = { headers: {} } as FastifyRequest;
    isSignedIn = true;
    await guard.check(request);
    isSignedIn = false;
    await assert.rejects(guard.check(request), { code: 'UNAUTHENTICATED' });
  }
});

const callRoute = async (
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<[number, unknown]> => {
  const answer = await sendRequest(url + path, method, body, headers);
  return [answer.status, answer.body?.code ?? answer.body?.id ?? answer.body];
};

describe('a route’s guard', () => {
  test('asks for a sign-in within ten minutes when the route creates what outlives the session', async () => {
    const create = (member: string) => callRoute('POST', '/api/lasting', { 'x-member': member });
    assert.deepEqual(await create('recent'), [200, 'made']);
    for (const member of ['stale', 'unknown'])
      assert.deepEqual(await create(member), [403, 'SESSION_REVERIFICATION_REQUIRED'], member);
    assert.deepEqual(await create('demo'), [403, 'DEMO_ACCOUNT']);
  });

  test('skips only the session gate when the route asks for it', async () => {
    const gatedHeaders = { 'x-member': 'gated' };
    assert.deepEqual(await callRoute('GET', '/api/me', gatedHeaders), [401, 'UNAUTHENTICATED']);
    assert.deepEqual(await callRoute('GET', '/api/ungated', gatedHeaders), [200, 'gated']);
    assert.deepEqual(await callRoute('GET', '/api/ungated'), [401, 'UNAUTHENTICATED']);
  });

  test('lets only a signed-in member reach a member’s route', async () => {
    assert.deepEqual(await callRoute('GET', '/api/me', { 'x-member': 'ann' }), [200, 'ann']);
    assert.deepEqual(await callRoute('GET', '/api/me'), [401, 'UNAUTHENTICATED']);
    assert.equal((await callRoute('HEAD', '/api/me'))[0], 401);
  });

  test('rejects exactly the accounts that an editor’s route names', async () => {
    const rejectedWith: Record<string, readonly string[]> = {
      'demo-account': ['DEMO_ACCOUNT', 'keys', 'everything', 'own-data'],
      'demo-tour': ['DEMO_MODE', 'watchlist', 'everything'],
      'sample-user': ['DEMO_MODE', 'watchlist', 'investments', 'keys', 'everything'],
    };
    const headersByCase: Record<string, Record<string, string>> = {
      'demo-account': { 'x-member': 'demo' },
      'demo-tour': { 'x-member': 'ann', 'x-demo-tour': '1' },
      'sample-user': { 'x-member': 'sample' },
    };
    for (const [who, headers] of Object.entries(headersByCase))
      for (const route of Object.keys(editors)) {
        if (who === 'sample-user' && route === 'own-data') continue;
        const [code, ...routes] = rejectedWith[who]!;
        const expected = routes.includes(route) ? [403, code] : [200, headers['x-member']];
        assert.deepEqual(await callRoute('POST', `/api/${route}`, headers), expected, `${who} at ${route}`);
      }
    for (const route of Object.keys(editors)) {
      assert.deepEqual(await callRoute('POST', `/api/${route}`, { 'x-member': 'ann' }), [200, 'ann']);
      assert.deepEqual(await callRoute('POST', `/api/${route}`, { 'x-demo-tour': '1' }), [401, 'UNAUTHENTICATED']);
    }
    const sampleUser = { 'x-member': 'sample' };
    assert.deepEqual(await callRoute('POST', '/api/own-data', sampleUser), [403, 'DEMO_ACCOUNT']);
    const demoTourHeaders = { 'x-member': 'demo', 'x-demo-tour': '1' };
    assert.deepEqual(await callRoute('POST', '/api/everything', demoTourHeaders), [403, 'DEMO_ACCOUNT']);
  });

  test('runs before an invalid body is read', async () => {
    for (const [type, body] of [
      ['application/json', '{'],
      ['text/csv', 'a,b'],
      ['application/json', JSON.stringify('x'.repeat(5_000))],
    ] as const) {
      const headers = { 'content-type': type };
      assert.deepEqual(await callRoute('POST', '/api/keys', headers, body), [401, 'UNAUTHENTICATED']);
      assert.deepEqual(await callRoute('POST', '/api/keys', { ...headers, 'x-member': 'demo' }, body), [
        403,
        'DEMO_ACCOUNT',
      ]);
    }
  });

  test('is that of the scope by method unless the route names its own', async () => {
    assert.deepEqual(await callRoute('GET', '/api/scoped'), [200, { read: true }]);
    assert.equal((await callRoute('HEAD', '/api/scoped'))[0], 200);
    assert.deepEqual(await callRoute('DELETE', '/api/scoped'), [401, 'UNAUTHENTICATED']);
    assert.deepEqual(await callRoute('DELETE', '/api/scoped', { 'x-member': 'ann' }), [200, { gone: true }]);
    assert.deepEqual(await callRoute('PUT', '/api/own'), [200, { own: true }]);
  });

  test('returns 404 before the guard runs when the path does not exist for the caller', async () => {
    const member = { 'x-member': 'ann' };
    assert.deepEqual(await callRoute('POST', '/api/hidden', member), [200, { here: true }]);
    assert.deepEqual(await callRoute('POST', '/api/hidden', { ...member, 'x-hidden': '1' }), [404, 'NOT_FOUND']);
    assert.deepEqual(await callRoute('PUT', '/api/hidden', { ...member, 'x-hidden': '1' }), [404, 'NOT_FOUND']);
    assert.deepEqual(await callRoute('PUT', '/api/hidden', member), [405, 'METHOD_NOT_ALLOWED']);
  });

  test('provides no member to a route without a member guard', async () => {
    assert.deepEqual(await callRoute('GET', '/api/open', { 'x-member': 'ann' }), [500, 'INTERNAL']);
  });

  test('rejects with the headers of every response', async () => {
    const { headers } = await sendRequest(`${url}/api/me`, 'GET');
    assert.equal(headers.get('www-authenticate'), 'Bearer');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.ok(headers.get('x-request-id'));
  });
});
