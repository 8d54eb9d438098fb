import assert from 'node:assert/strict';
import { test } from 'vitest';
import { pino } from 'pino';
import { injectDocumented } from '../../test/support/documented-responses.ts';
import { createMetrics } from '../platform/http/metrics.ts';
import { createTestHttpApp } from '../../test/support/http-app.ts';
import { getIssuerLogoPath } from './domain/logos.ts';
import { addLogoRoutes } from './routes.ts';
import { simulatedListings } from '../embedded/market-data/listings.ts';

test('serves each badge that a listing points at as an image of our own', async (t) => {
  const app = await createTestHttpApp({
    logger: pino({ level: 'silent' }),
    metrics: createMetrics(),
    trustedProxies: [],
    bodyLimit: 1_024,
    requestTimeout: 60_000,
    https: false,
    connectTo: undefined,
  });
  t.onTestFinished(() => app.close());
  addLogoRoutes(app, async () => undefined);
  const logos = new Set(
    [...simulatedListings.values()]
      .map(({ assetType, name }) => getIssuerLogoPath(assetType, name))
      .filter((logo) => logo !== null),
  );
  assert.ok(logos.size >= 10);
  for (const logo of logos) {
    const answer = await injectDocumented(app, logo);
    assert.equal(answer.statusCode, 200, logo);
    assert.equal(answer.headers['content-type'], 'image/svg+xml');
    assert.match(answer.body, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^]*<\/svg>$/);
    assert.doesNotMatch(answer.body, /<script|href=|url\(/);
  }
  for (const path of ['/api/logos/nobody.svg', '/api/logos/..%2f..%2fpackage.json', '/api/logos/%3Csvg%3E'])
    assert.equal((await injectDocumented(app, path)).statusCode, 404, path);
  assert.equal((await injectDocumented(app, `/api/logos/${'a'.repeat(61)}.svg`)).statusCode, 400);
  const { headers } = await injectDocumented(app, '/api/logos/vanguard.svg');
  assert.equal(
    (await injectDocumented(app, '/api/logos/vanguard.svg', { 'if-none-match': String(headers['etag']) })).statusCode,
    304,
  );
});

test('selects badges by the start of the name or the brand within it', () => {
  assert.equal(getIssuerLogoPath('etf', 'Vanguard S&P 500 ETF'), '/api/logos/vanguard.svg');
  assert.equal(getIssuerLogoPath('etf', 'Technology Select Sector SPDR Fund'), '/api/logos/spdr.svg');
  assert.equal(getIssuerLogoPath('bond', 'US Treasury Note 4% 02/15/2034'), '/api/logos/us-treasury.svg');
  for (const [kind, name] of [
    ['stock', 'The Charles Schwab Corporation'],
    ['stock', 'BlackRock, Inc.'],
    ['etf', 'Some Other ETF'],
    ['etf', null],
  ] as const)
    assert.equal(getIssuerLogoPath(kind, name), null);
});
