import assert from 'node:assert/strict';
import { test } from 'vitest';
import { readCookie } from './cookies.ts';
import { listAllowedOrigins, classifyOrigin } from './origins.ts';

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

test('finds a cookie by its whole name', () => {
  assert.equal(readCookie('a=1; __session=x.y.z; b=2', '__session'), 'x.y.z');
  assert.equal(readCookie('not__session=1; __session_x=2', '__session'), undefined);
  assert.equal(readCookie('__session="quoted"', '__session'), 'quoted');
  for (const header of [undefined, '', '__session', '__session=', '=x', ';;;'])
    assert.equal(readCookie(header, '__session'), undefined);
});
