import assert from 'node:assert/strict';
import { test } from 'vitest';
import { type DataRecipients, writeDefaultDocument } from './default-documents.ts';
import { renderMarkdown } from './render-markdown.ts';

const nobody: DataRecipients = {
  identity: false,
  banks: false,
  brokerages: false,
  payments: false,
  model: false,
  analytics: false,
};

test('says that no data leaves the service when no other service is configured', () => {
  const text = writeDefaultDocument('privacy', nobody);
  assert.match(text, /No data about you is sent to another company\./);
  assert.match(text, /a hash of your password/);
  assert.doesNotMatch(text, /Plaid|SnapTrade|Stripe|language model|analytics service|identity provider/);
});

test('names each other service that receives data, and no further one', () => {
  const names: Record<keyof DataRecipients, RegExp> = {
    identity: /kept by an identity provider/,
    banks: /Plaid/,
    brokerages: /SnapTrade/,
    payments: /Stripe/,
    model: /language model/,
    analytics: /analytics service/,
  };
  for (const key of Object.keys(nobody) as (keyof DataRecipients)[]) {
    const text = writeDefaultDocument('privacy', { ...nobody, [key]: true });
    assert.match(text, /Other companies receive only this:/);
    for (const [other, pattern] of Object.entries(names))
      assert.equal(pattern.test(text), other === key, `${key}: ${other}`);
  }
  assert.doesNotMatch(writeDefaultDocument('privacy', { ...nobody, identity: true }), /a hash of your password/);
});

test('says that the operator has published no terms', () => {
  const { title, html } = renderMarkdown(writeDefaultDocument('terms', nobody));
  assert.equal(title, 'Terms');
  assert.match(html, /^<p>The operator of this service has not published terms of use\.<\/p>/);
  assert.match(html, /<a href="\/privacy">Privacy<\/a>/);
});
