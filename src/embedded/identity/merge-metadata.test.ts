import assert from 'node:assert/strict';
import { test } from 'vitest';
import { startIdentityApp, TestBrowser } from '../../../test/support/identity.ts';
import { mergeMetadata } from './merge-metadata.ts';

test('merges a change into the stored metadata', () => {
  const before = { a: 1, b: { c: 2, d: [1] }, e: 'x' };
  assert.deepEqual(mergeMetadata(before, { a: null, b: { d: [2], f: { g: null, h: 1 } }, e: { i: 1 } }), {
    b: { c: 2, d: [2], f: { h: 1 } },
    e: { i: 1 },
  });
  assert.deepEqual(before, { a: 1, b: { c: 2, d: [1] }, e: 'x' }, 'does not change the old one');
  const prototypeAttack = mergeMetadata({}, JSON.parse('{"__proto__":{"admin":true}}') as Record<string, unknown>);
  assert.equal((prototypeAttack as { admin?: boolean }).admin, undefined);
  assert.equal(Object.getPrototypeOf({}), Object.prototype);
});

test('keeps all concurrent changes up to the limit of the size', async (t) => {
  const { url } = await startIdentityApp(t);
  const browser = new TestBrowser(url);
  await browser.signUp();
  const change = (metadata: object) =>
    browser.call('PATCH', '/me/metadata', { unsafe_metadata: JSON.stringify(metadata) });
  const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => change({ [`key${i}`]: i })));
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array.from({ length: 8 }, () => 200),
  );
  const { body } = await browser.call('GET', '/me');
  assert.equal(Object.keys(body.response.unsafe_metadata).length, 8);
  assert.equal((await change({ big: 'x'.repeat(5_000) })).status, 200);
  const tooLarge = await change({ more: 'x'.repeat(5_000) });
  assert.deepEqual([tooLarge.status, tooLarge.body.errors[0].code], [422, 'form_param_format_invalid']);
  assert.equal((await browser.call('PATCH', '/me/metadata', {})).body.errors[0].code, 'form_param_missing');
});
