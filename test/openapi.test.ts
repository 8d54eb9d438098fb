import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import { z } from 'zod';
import { routes as alerts } from '../src/features/alerts/contract.ts';
import { routes as analytics } from '../src/platform/analytics/contract.ts';
import { routes as assistant } from '../src/features/assistant/contract.ts';
import { revenueRoutes as revenue, routes as billing } from '../src/features/billing/contract.ts';
import { routes as assistantTokens } from '../src/features/assistant/mcp/contract.ts';
import { routes as connections } from '../src/features/connections/contract.ts';
import { routes as dashboard } from '../src/features/portfolio/dashboard/contract.ts';
import { routes as demoAccess } from '../src/features/demo-access/contract.ts';
import { type Route, routes as service } from '../src/platform/http/contract.ts';
import { examples } from '../src/platform/http/openapi/examples.ts';
import { routes as identity } from '../src/platform/identity/contract.ts';
import { routes as holdingsImport } from '../src/features/portfolio/import/contract.ts';
import { routes as accounts } from '../src/features/portfolio/accounts/contract.ts';
import { routes as holdings } from '../src/features/portfolio/holdings/contract.ts';
import { routes as netWorth } from '../src/features/portfolio/net-worth/contract.ts';
import { routes as marketData } from '../src/market-data/contract.ts';
import { routes as operator } from '../src/features/operator/contract.ts';
import { routes as referrals } from '../src/features/referrals/contract.ts';
import { routes as search } from '../src/features/search/contract.ts';
import { routes as securities } from '../src/features/securities/contract.ts';
import { routes as site } from '../src/features/site/contract.ts';
import { routes as tokenCounting } from '../src/features/token-api/contract.ts';
import { routes as watchlist } from '../src/features/watchlist/contract.ts';

type Operation = Readonly<{
  operationId: string;
  summary: string;
  tags: string[];
  security: Readonly<Record<string, unknown>>[];
  responses: Readonly<Record<string, unknown>>;
}>;
const {
  paths,
  components,
  'x-tagGroups': tagGroups,
} = JSON.parse(readFileSync(new URL('../docs/reference/openapi.json', import.meta.url), 'utf8')) as {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: { securitySchemes: object };
  'x-tagGroups': { name: string; tags: string[] }[];
};
const operations = Object.entries(paths).flatMap(([path, ofPath]) =>
  Object.entries(ofPath).map(([method, operation]) => ({ name: `${method} ${path}`, path, method, ...operation })),
);

// Single responses are compared with the document wherever tests send requests (support/documented-responses.ts).

/** Operations of the operator that take a token instead of the session's cookie. */
const WITH_OPERATOR_TOKEN = /^(\w+ \/api\/internal\/|post \/api\/operator\/session$|get \/api\/operator\/revenue)/;

function getExpectedAuthMethods({ name, path }: Pick<(typeof operations)[number], 'name' | 'path'>): string[] {
  if (path.startsWith('/v1/')) return ['apiKey', 'apiKeyAsBearer'];
  if (WITH_OPERATOR_TOKEN.test(name)) return ['operatorToken'];
  return path.startsWith('/api/operator/') ? ['operatorSession'] : ['session', 'sessionCookie'];
}

test('documents the required credential of every operation', () => {
  const isPublic = operations.filter(({ security }) => security.length === 0).map(({ name }) => name);
  assert.deepEqual(isPublic, [
    'get /healthz',
    'get /readyz',
    'get /api/config',
    'get /api/logos/{file}',
    'get /api/logos/registry/{symbol}',
    'get /api/site/documents/{name}',
    'post /api/sample-portfolio',
    'post /api/alerts/unsubscribe',
    'get /api/referrals/validate-referrer',
    'post /api/referrals/track-signup',
    'post /api/referrals/mark-completed',
  ]);
  for (const { name, path, security, responses } of operations) {
    const authMethods = security.flatMap((authMethod) => Object.keys(authMethod));
    for (const authMethod of authMethods) assert.ok(authMethod in components.securitySchemes, `${name}: ${authMethod}`);
    assert.equal('401' in responses, authMethods.length > 0, name);
    if (authMethods.length > 0) assert.deepEqual(authMethods, getExpectedAuthMethods({ name, path }), name);
  }
});

test('groups the routes of operators apart from those of members', () => {
  const groupOf = (tag: string): string => tagGroups.find(({ tags }) => tags.includes(tag))!.name;
  for (const { name, tags, security } of operations) {
    const isOperators = security.some((scheme) => 'operatorToken' in scheme || 'operatorSession' in scheme);
    assert.equal(groupOf(tags[0]!) === 'Operators', isOperators, name);
  }
  assert.deepEqual(tagGroups[0], { name: 'Token counting', tags: ['Token counting'] });
});

test('documents an optional credential for the plans alone', () => {
  const optional = operations.filter(({ security }) => security.some((scheme) => Object.keys(scheme).length === 0));

  assert.deepEqual(
    optional.map(({ name }) => name),
    ['get /api/plans'],
  );
});

test('documents the errors of an unreadable or too large body for every write', () => {
  const writes = operations.filter(({ method }) => method !== 'get');
  assert.ok(writes.some(({ method }) => method === 'delete'));
  for (const { name, responses } of writes)
    assert.deepEqual(
      ['400', '413', '415'].filter((status) => !(status in responses)),
      [],
      name,
    );
});

test('documents a 304 for every read outside /v1', () => {
  for (const { name, path, responses } of operations.filter(({ method }) => method === 'get'))
    assert.equal('304' in responses, !path.startsWith('/v1/'), name);
});

const maps = [
  alerts,
  analytics,
  assistant,
  assistantTokens,
  billing,
  revenue,
  operator,
  connections,
  dashboard,
  demoAccess,
  service,
  identity,
  accounts,
  holdings,
  holdingsImport,
  netWorth,
  marketData,
  search,
  securities,
  site,
  referrals,
  tokenCounting,
  watchlist,
];
const declared: Route[] = maps.flatMap((map) => Object.values<Route>(map));

test('gives each operation of every route map an id, a summary and a tag', () => {
  assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length);
  for (const { name, summary, tags } of operations) {
    assert.match(summary, /^[A-Z][a-z]+ \S/, `${name}: the summary begins with a verb`);
    assert.equal(tags.length, 1, name);
  }
  assert.deepEqual(operations.map(({ operationId }) => operationId).sort(), declared.map(({ id }) => id).sort());
});

test('gives each JSON route an example that the route accepts and returns', () => {
  for (const { id, params, query, body, responses } of declared) {
    const example = examples[id];
    const answer = Object.entries(responses).find(([status]) => Number(status) < 300)![1];
    const parts = { params, query, body, response: answer instanceof z.ZodType ? answer : undefined };
    for (const [part, schema] of Object.entries(parts)) {
      if (schema === undefined || schema instanceof z.ZodUndefined) continue;
      const shown = example?.[part as keyof typeof parts];
      if (part !== 'query') assert.ok(shown !== undefined, `${id} shows no ${part}: npm run record-examples -- TEST…`);
      if (shown === undefined) continue;
      const read = schema.safeParse(shown);
      assert.ok(read.success, `${id} ${part}: ${read.error?.message}`);
    }
  }
});

test('shares repeated schemas by reference', () => {
  const text = readFileSync(new URL('../docs/reference/openapi.json', import.meta.url), 'utf8');
  // Shared schemas cut the document to a quarter of 19,900 bytes an operation.
  assert.ok(text.length < operations.length * 4_800, `${text.length} bytes for ${operations.length} operations`);
  for (const { name, responses } of operations)
    for (const [status, response] of Object.entries(responses))
      if (Number(status) >= 400 && !name.endsWith('/readyz'))
        assert.ok('$ref' in (response as object), `${name} ${status}`);
});
