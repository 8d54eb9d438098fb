import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

type Operation = Readonly<{
  security: Readonly<Record<string, unknown>>[];
  responses: Readonly<Record<string, unknown>>;
}>;
const { paths, components } = JSON.parse(readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8')) as {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: { securitySchemes: object };
};
const operations = Object.entries(paths).flatMap(([path, ofPath]) =>
  Object.entries(ofPath).map(([method, operation]) => ({ name: `${method} ${path}`, path, method, ...operation })),
);

// What single answers say is held to the document where tests ask for them (support/documented.ts).

test('the document says of every operation who may ask: a member, the holder of an API key, or anybody', () => {
  const open = operations.filter(({ security }) => security.length === 0).map(({ name }) => name);
  assert.deepEqual(open, [
    'get /healthz',
    'get /readyz',
    'get /api/config',
    'get /api/logos/{file}',
    'get /api/logos/registry/{symbol}',
  ]);
  for (const { name, path, security, responses } of operations) {
    const ways = security.flatMap((way) => Object.keys(way));
    for (const way of ways) assert.ok(way in components.securitySchemes, `${name}: ${way}`);
    assert.equal('401' in responses, ways.length > 0, name);
    if (ways.length > 0)
      assert.deepEqual(
        ways,
        path.startsWith('/v1/') ? ['apiKey', 'apiKeyAsBearer'] : ['session', 'sessionCookie'],
        name,
      );
  }
});

test('every write says that a body may be unreadable, too large or of a strange type, one that takes none too', () => {
  const writes = operations.filter(({ method }) => method !== 'get');
  assert.ok(writes.some(({ method }) => method === 'delete'));
  for (const { name, responses } of writes)
    assert.deepEqual(
      ['400', '413', '415'].filter((status) => !(status in responses)),
      [],
      name,
    );
});

test('every read outside the fast path says that it answers 304', () => {
  for (const { name, path, responses } of operations.filter(({ method }) => method === 'get'))
    assert.equal('304' in responses, !path.startsWith('/v1/'), name);
});
