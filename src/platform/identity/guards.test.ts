import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { FastifyRequest } from 'fastify';
import { createTestHttpApp } from '../../../test/support/http-app.ts';
import { send } from '../../../test/support/identity.ts';
import { Failure } from '../../errors.ts';
import type { HttpApp } from '../http/app-type.ts';
import { guardRoutes, openTo } from '../http/guard.ts';
import { limitPerMember } from '../http/member-limit.ts';
import { createGuards, type Refused } from './guards.ts';
import type { Member } from './member.ts';

const guards = createGuards(async ({ headers: { 'x-member': idpId } }, { gate = true } = {}) => {
  if (typeof idpId !== 'string' || (gate && idpId === 'gated')) throw new Failure('UNAUTHENTICATED');
  return { idpId, sessionId: 'sess_1', isDemoAccount: idpId === 'demo', isSampleUser: idpId === 'sample' };
});

const editors: Record<string, readonly Refused[]> = {
  watchlist: ['demo-tour', 'sample-user'],
  investments: ['sample-user'],
  keys: ['demo-account', 'sample-user'],
  everything: ['demo-account', 'demo-tour', 'sample-user'],
};

let app: HttpApp;
let url = '';

beforeAll(async () => {
  app = await createTestHttpApp({ bodyLimit: 1_000 });
  app.get('/api/me', { config: { guard: guards.member } }, async (request) => ({ id: guards.memberOf(request).idpId }));
  app.get('/api/ungated', { config: { guard: guards.ungated } }, async (request) => ({
    id: guards.memberOf(request).idpId,
  }));
  for (const [name, refuses] of Object.entries(editors))
    app.post(`/api/${name}`, { config: { guard: guards.editor({ refuses }) } }, async (request) => ({
      id: guards.memberOf(request).idpId,
    }));
  app.get('/api/open', { config: { guard: openTo('a test') } }, async (request) => ({
    id: guards.memberOf(request).idpId,
  }));
  await app.register(async (scope: HttpApp) => {
    guardRoutes(scope, { reads: openTo('a test'), writes: guards.member });
    const existsFor = async ({ headers }: { headers: object }): Promise<boolean> => !('x-hidden' in headers);
    scope.get('/api/scoped', async () => ({ read: true }));
    scope.delete('/api/scoped', async () => ({ gone: true }));
    scope.put('/api/own', { config: { guard: openTo('a test') } }, async () => ({ own: true }));
    scope.post('/api/hidden', { config: { existsFor } }, async () => ({ here: true }));
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterAll(() => app.close());

test('decides anew when a guard is asked a second time about one request', async () => {
  let isSignedIn = true;
  const requireMember = async (): Promise<Member> => {
    if (!isSignedIn) throw new Failure('UNAUTHENTICATED');
    return { idpId: 'user_a', sessionId: 'sess_1', isDemoAccount: false, isSampleUser: false };
  };
  const { member, editor, ungated } = createGuards(limitPerMember(requireMember, 100));
  for (const guard of [member, editor({ refuses: ['demo-tour'] }), ungated]) {
    const request = { headers: {} } as FastifyRequest;
    isSignedIn = true;
    await guard.check(request);
    isSignedIn = false;
    await assert.rejects(guard.check(request), { code: 'UNAUTHENTICATED' });
  }
});

const ask = async (
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<[number, unknown]> => {
  const answer = await send(url + path, method, body, headers);
  return [answer.status, answer.body?.code ?? answer.body?.id ?? answer.body];
};

describe('a route’s guard', () => {
  test('leaves out the session gate where it is told to, and nothing else', async () => {
    const gated = { 'x-member': 'gated' };
    assert.deepEqual(await ask('GET', '/api/me', gated), [401, 'UNAUTHENTICATED']);
    assert.deepEqual(await ask('GET', '/api/ungated', gated), [200, 'gated']);
    assert.deepEqual(await ask('GET', '/api/ungated'), [401, 'UNAUTHENTICATED']);
  });

  test('lets a signed-in member reach a member’s route, and no one else', async () => {
    assert.deepEqual(await ask('GET', '/api/me', { 'x-member': 'ann' }), [200, 'ann']);
    assert.deepEqual(await ask('GET', '/api/me'), [401, 'UNAUTHENTICATED']);
    assert.equal((await ask('HEAD', '/api/me'))[0], 401);
  });

  test('refuses exactly whom an editor’s route names', async () => {
    const refusedWith: Record<string, readonly string[]> = {
      'demo-account': ['DEMO_ACCOUNT', 'keys', 'everything'],
      'demo-tour': ['DEMO_MODE', 'watchlist', 'everything'],
      'sample-user': ['DEMO_MODE', 'watchlist', 'investments', 'keys', 'everything'],
    };
    const asks: Record<string, Record<string, string>> = {
      'demo-account': { 'x-member': 'demo' },
      'demo-tour': { 'x-member': 'ann', 'x-demo-tour': '1' },
      'sample-user': { 'x-member': 'sample' },
    };
    for (const [who, headers] of Object.entries(asks))
      for (const route of Object.keys(editors)) {
        const [code, ...routes] = refusedWith[who]!;
        const expected = routes.includes(route) ? [403, code] : [200, headers['x-member']];
        assert.deepEqual(await ask('POST', `/api/${route}`, headers), expected, `${who} at ${route}`);
      }
    for (const route of Object.keys(editors)) {
      assert.deepEqual(await ask('POST', `/api/${route}`, { 'x-member': 'ann' }), [200, 'ann']);
      assert.deepEqual(await ask('POST', `/api/${route}`, { 'x-demo-tour': '1' }), [401, 'UNAUTHENTICATED']);
    }
    const both = { 'x-member': 'demo', 'x-demo-tour': '1' };
    assert.deepEqual(await ask('POST', '/api/everything', both), [403, 'DEMO_ACCOUNT']);
  });

  test('speaks before a body is read: malformed, of another type or too large', async () => {
    for (const [type, body] of [
      ['application/json', '{'],
      ['text/csv', 'a,b'],
      ['application/json', JSON.stringify('x'.repeat(5_000))],
    ] as const) {
      const headers = { 'content-type': type };
      assert.deepEqual(await ask('POST', '/api/keys', headers, body), [401, 'UNAUTHENTICATED']);
      assert.deepEqual(await ask('POST', '/api/keys', { ...headers, 'x-member': 'demo' }, body), [403, 'DEMO_ACCOUNT']);
    }
  });

  test('comes from its scope by method, unless the route names its own', async () => {
    assert.deepEqual(await ask('GET', '/api/scoped'), [200, { read: true }]);
    assert.equal((await ask('HEAD', '/api/scoped'))[0], 200);
    assert.deepEqual(await ask('DELETE', '/api/scoped'), [401, 'UNAUTHENTICATED']);
    assert.deepEqual(await ask('DELETE', '/api/scoped', { 'x-member': 'ann' }), [200, { gone: true }]);
    assert.deepEqual(await ask('PUT', '/api/own'), [200, { own: true }]);
  });

  test('comes second to the question whether the path exists for the caller', async () => {
    const member = { 'x-member': 'ann' };
    assert.deepEqual(await ask('POST', '/api/hidden', member), [200, { here: true }]);
    assert.deepEqual(await ask('POST', '/api/hidden', { ...member, 'x-hidden': '1' }), [404, 'NOT_FOUND']);
    assert.deepEqual(await ask('PUT', '/api/hidden', { ...member, 'x-hidden': '1' }), [404, 'NOT_FOUND']);
    assert.deepEqual(await ask('PUT', '/api/hidden', member), [405, 'METHOD_NOT_ALLOWED']);
  });

  test('that asks for no member gives none to its route', async () => {
    assert.deepEqual(await ask('GET', '/api/open', { 'x-member': 'ann' }), [500, 'INTERNAL']);
  });

  test('refuses with the headers that every answer has', async () => {
    const { headers } = await send(`${url}/api/me`, 'GET');
    assert.equal(headers.get('www-authenticate'), 'Bearer');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.ok(headers.get('x-request-id'));
  });
});
