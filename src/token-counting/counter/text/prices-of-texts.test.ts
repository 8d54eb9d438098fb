import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPricesOfTexts } from './prices-of-texts.ts';

test('a text finds its own price, never that of a text which looks alike where one samples', () => {
  const prices = createPricesOfTexts();
  const text = 'abcdefgh'.repeat(500);
  prices.set(text, 7);
  assert.equal(prices.get(JSON.parse(JSON.stringify(text)) as string), 7);
  for (let at = 0; at < text.length; at += 7)
    assert.equal(prices.get(`${text.slice(0, at)}#${text.slice(at + 1)}`), undefined);
  assert.equal(prices.get(text.slice(1)), undefined);
});

test('the price of a part of a text is never taken for that of the whole or of another part', () => {
  const prices = createPricesOfTexts();
  const text = 'abcdefgh'.repeat(500);
  prices.set(text, 7, 1);
  prices.set(text, 9, 2);
  assert.deepEqual([prices.get(text), prices.get(text, 1), prices.get(text, 2)], [undefined, 7, 9]);
});

test('the oldest texts are forgotten when too much is kept, and huge ones are never kept', () => {
  const prices = createPricesOfTexts();
  const texts = Array.from({ length: 60 }, (_, index) => String.fromCharCode(97 + index).repeat(400_000));
  texts.forEach((text, index) => prices.set(text, index));
  assert.equal(prices.get(texts[0] ?? ''), undefined);
  assert.equal(prices.get(texts[29] ?? ''), 29);
  const huge = 'x'.repeat(3_000_000);
  prices.set(huge, 1);
  assert.equal(prices.get(huge), undefined);
});
