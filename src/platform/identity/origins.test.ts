import assert from 'node:assert/strict';
import { test } from 'vitest';
import { readCookie } from './cookies.ts';
import { listAllowedOrigins, classifyOrigin, explainOriginMismatch } from './origins.ts';

test("allows the site's origin and, on this machine, its other names on that port", () => {
  assert.deepEqual([...listAllowedOrigins('https://tally.example/some/path')], ['https://tally.example']);
  assert.deepEqual(
    [...listAllowedOrigins('http://127.0.0.1:3000')],
    ['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000'],
  );
  assert.deepEqual(
    [...listAllowedOrigins('http://localhost')],
    ['http://127.0.0.1', 'http://localhost', 'http://[::1]'],
  );
});

test('classifies a request by origin, then by sec-fetch-site', () => {
  const allowed = listAllowedOrigins('https://tally.example');
  assert.equal(classifyOrigin({ origin: 'https://tally.example' }, allowed), 'same');
  for (const origin of [
    'https://tally.example.evil.test',
    'http://tally.example',
    'https://tally.example:8443',
    'null',
    '',
  ])
    assert.equal(classifyOrigin({ origin }, allowed), 'foreign', origin);
  assert.equal(classifyOrigin({ origin: 'https://evil.test', 'sec-fetch-site': 'same-origin' }, allowed), 'foreign');
  assert.equal(classifyOrigin({ 'sec-fetch-site': 'same-origin' }, allowed), 'same');
  for (const site of ['same-site', 'cross-site', 'none'])
    assert.equal(classifyOrigin({ 'sec-fetch-site': site }, allowed), 'foreign', site);
  assert.equal(classifyOrigin({}, allowed), 'unknown');
});

test.each([
  ['http for https', 'https://tally.example', 'http://tally.example', 'tally.example'],
  ['www', 'https://tally.example', 'https://www.tally.example', 'www.tally.example'],
  ['an IP address', 'http://127.0.0.1:3000', 'http://192.168.1.5:3000', '192.168.1.5:3000'],
])('names both addresses when a page of the service was opened with %s', (_difference, baseUrl, origin, host) => {
  const allowed = listAllowedOrigins(baseUrl);
  assert.equal(
    explainOriginMismatch({ origin, host }, allowed),
    `This page was opened at ${origin}, but the address of the service is ${baseUrl}. Open it there. ` +
      `If you run the service: set BASE_URL to ${origin}, or redirect to ${baseUrl}.`,
  );
  // A proxy may replace the host, but browsers send this header under https.
  assert.ok(explainOriginMismatch({ origin, host: 'server:3000', 'sec-fetch-site': 'same-origin' }, allowed));
});

test('names no address when another site sent the request, or none is wrong', () => {
  const allowed = listAllowedOrigins('https://tally.example');
  const host = 'tally.example';
  for (const origin of ['https://evil.test', 'null', '', undefined, 'https://tally.example'])
    assert.equal(explainOriginMismatch({ host, ...(origin !== undefined && { origin }) }, allowed), undefined, origin);
});

test('finds a cookie by its whole name', () => {
  assert.equal(readCookie('a=1; __session=x.y.z; b=2', '__session'), 'x.y.z');
  assert.equal(readCookie('not__session=1; __session_x=2', '__session'), undefined);
  assert.equal(readCookie('__session="quoted"', '__session'), 'quoted');
  for (const header of [undefined, '', '__session', '__session=', '=x', ';;;'])
    assert.equal(readCookie(header, '__session'), undefined);
});
