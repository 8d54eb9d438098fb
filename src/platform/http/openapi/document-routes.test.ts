import assert from 'node:assert/strict';
import { test } from 'vitest';
import { z } from 'zod';
import { createTestHttpApp } from '../../../../test/support/http-app.ts';
import type { HttpApp } from '../app-type.ts';
import { defineRoutes, errorSchema } from '../contract.ts';
import { route } from '../route.ts';

const thing = z.object({ size: z.int() }).meta({ id: 'Thing', description: 'A <thing>.' });
const tag = { name: 'Things', description: 'What there is.' };
const routes = defineRoutes(
  { tag },
  {
    changeThing: {
      endpoint: 'PUT /api/things/{id}',
      summary: 'Changes a thing',
      params: z.object({ id: z.string() }),
      body: thing,
      responses: { 200: thing },
      errors: ['NOT_FOUND', errorSchema('LIMIT_REACHED', { limit: z.int() })],
    },
  },
);

async function serve(add: (app: HttpApp) => void): Promise<HttpApp> {
  const app = await createTestHttpApp();
  add(app);
  return app;
}

const withThing = () => serve((app) => route(app, routes.changeThing, async ({ body }) => ({ size: body.size + 1 })));

test('parses, answers and documents a route by its contract', async () => {
  const app = await withThing();
  const put = (payload: object) => app.inject({ method: 'PUT', url: '/api/things/a', payload });
  assert.deepEqual((await put({ size: 1 })).json(), { size: 2 });
  assert.equal((await put({ size: 'large' })).statusCode, 400);
  const answer = await app.inject('/openapi.json');
  const { paths, components } = answer.json<{
    paths: Record<string, { put: object }>;
    components: { schemas: object };
  }>();
  assert.deepEqual(Object.keys(paths), ['/api/things/{id}']);
  const responses = (paths['/api/things/{id}']!.put as { responses: object }).responses;
  assert.deepEqual(Object.keys(responses), ['200', '400', '401', '403', '404', '413', '415', '429', '503']);
  assert.ok('Thing' in components.schemas && 'LimitReachedError' in components.schemas);
  const etag = String(answer.headers['etag']);
  assert.equal((await app.inject({ url: '/openapi.json', headers: { 'if-none-match': etag } })).statusCode, 304);
});

test('rejects duplicate operation ids, duplicate schema names and unknown error codes', async () => {
  const { changeThing } = routes;
  for (const [other, message] of [
    [{ ...changeThing, path: '/api/others/{id}' }, /operation id changeThing/],
    [{ ...changeThing, id: 'b', path: '/api/b', body: z.object({}).meta({ id: 'Thing' }) }, /named Thing/],
    [{ ...changeThing, id: 'c', path: '/api/c', errors: ['NOWHERE'] }, /NOWHERE/],
  ] as const) {
    const app = await serve((into) => {
      route(into, changeThing, async ({ body }) => body);
      route(into, other as unknown as typeof changeThing, async () => ({ size: 1 }));
    });
    const errors: unknown[] = [];
    app.addHook('onError', async (_request, _reply, error) => {
      errors.push(error.message);
    });
    assert.equal((await app.inject('/openapi.json')).statusCode, 500);
    assert.match(String(errors), message);
  }
});

test('does not compile when a response or error code is outside the contract', async () => {
  await serve((app) => {
    // @ts-expect-error The contract declares a size as a number.
    route(app, routes.changeThing, async () => ({ size: 'large' }));
  });
  const unknown = defineRoutes(
    { tag },
    { get: { endpoint: 'GET /api/a', summary: 'Gives', responses: { 200: thing }, errors: ['NOWHERE'] } },
  );
  await serve((app) => {
    // @ts-expect-error errors.ts has no such code.
    route(app, unknown.get, async () => ({ size: 1 }));
  });
});
