import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createTextCountCache, beginRequest } from './text-count-cache.ts';

test('returns no count of another text when both have equal sampled units', () => {
  const cache = createTextCountCache();
  const text = 'abcdefgh'.repeat(500);
  cache.set(text, 7);
  assert.equal(cache.get(JSON.parse(JSON.stringify(text)) as string), 7);
  for (let at = 0; at < text.length; at += 7)
    assert.equal(cache.get(`${text.slice(0, at)}#${text.slice(at + 1)}`), undefined);
  assert.equal(cache.get(text.slice(1)), undefined);
});

const texts = Array.from({ length: 60 }, (_, index) => String.fromCharCode(97 + index).repeat(400_000));

test('evicts the least recently used texts when full and never stores huge ones', () => {
  const cache = createTextCountCache();
  texts.forEach((text, index) => {
    beginRequest();
    cache.set(text, index);
    if (index > 0) assert.equal(cache.get(texts[1] ?? ''), 1, `${index}`);
  });
  assert.equal(cache.get(texts[0] ?? ''), undefined);
  assert.equal(cache.get(texts[29] ?? ''), 29);
  const huge = 'x'.repeat(3_000_000);
  cache.set(huge, 1);
  assert.equal(cache.get(huge), undefined);
});

test('keeps the first texts of a request that exceeds the cache', () => {
  const cache = createTextCountCache();
  const found = (): number => {
    beginRequest();
    const isCached = texts.map((text) => cache.get(text) !== undefined);
    texts.forEach((text, index) => isCached[index] || cache.set(text, index));
    return isCached.filter(Boolean).length;
  };
  assert.equal(found(), 0);
  const foundAgain = found();
  assert.ok(foundAgain >= 40 && foundAgain < texts.length, `${foundAgain}`);
  assert.equal(found(), foundAgain);
  beginRequest();
  const other = '#'.repeat(400_000);
  cache.set(other, 1);
  assert.equal(cache.get(other), 1);
});
