import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createPricesOfTexts, nextRequest } from './prices-of-texts.ts';

test('a text finds its own price, never that of a text which looks alike where one samples', () => {
  const prices = createPricesOfTexts();
  const text = 'abcdefgh'.repeat(500);
  prices.set(text, 7);
  assert.equal(prices.get(JSON.parse(JSON.stringify(text)) as string), 7);
  for (let at = 0; at < text.length; at += 7)
    assert.equal(prices.get(`${text.slice(0, at)}#${text.slice(at + 1)}`), undefined);
  assert.equal(prices.get(text.slice(1)), undefined);
});

const texts = Array.from({ length: 60 }, (_, index) => String.fromCharCode(97 + index).repeat(400_000));

test('the texts that were longest unused are forgotten when too much is kept, and huge ones are never kept', () => {
  const prices = createPricesOfTexts();
  texts.forEach((text, index) => {
    nextRequest();
    prices.set(text, index);
    if (index > 0) assert.equal(prices.get(texts[1] ?? ''), 1, `${index}`);
  });
  assert.equal(prices.get(texts[0] ?? ''), undefined);
  assert.equal(prices.get(texts[29] ?? ''), 29);
  const huge = 'x'.repeat(3_000_000);
  prices.set(huge, 1);
  assert.equal(prices.get(huge), undefined);
});

test('a request that is longer than what is kept finds its first texts again, and makes room for the next one', () => {
  const prices = createPricesOfTexts();
  const found = (): number => {
    nextRequest();
    const known = texts.map((text) => prices.get(text) !== undefined);
    texts.forEach((text, index) => known[index] || prices.set(text, index));
    return known.filter(Boolean).length;
  };
  assert.equal(found(), 0);
  const again = found();
  assert.ok(again >= 40 && again < texts.length, `${again}`);
  assert.equal(found(), again);
  nextRequest();
  const other = '#'.repeat(400_000);
  prices.set(other, 1);
  assert.equal(prices.get(other), 1);
});
