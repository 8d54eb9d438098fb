import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countInputTokens, type ContentBlock } from '../index.ts';

const pages = { pages: [{ width: 612, height: 792, text: 'Hello' }] };
const options = { pdf: () => pages, image: () => ({ width: 280, height: 560 }) };
const pdf: ContentBlock = { type: 'document', source: { type: 'url', url: 'https://example.com/x.pdf' } };
const image: ContentBlock = { type: 'image', source: { type: 'url', url: 'https://example.com/x.png' } };
const text = (value: string): ContentBlock => ({ type: 'text', text: value });

function count(model: string, ...content: ContentBlock[]): number {
  return countInputTokens({ model, messages: [{ role: 'user', content }] }, options);
}

/** What a document adds behind a text. */
const behind = (model: string, words: string): number => count(model, text(words), pdf) - count(model, text(words));

test('the line break before a document merges with a full stop up to 4.5, and never later', () => {
  assert.equal(behind('claude-sonnet-4-5', 'What is it?') - behind('claude-sonnet-4-5', 'Read it.'), 1);
  assert.equal(behind('claude-sonnet-4-6', 'What is it?') - behind('claude-sonnet-4-6', 'Read it.'), 0);
  assert.equal(behind('claude-sonnet-4-6', 'Read it.') - behind('claude-sonnet-4-5', 'Read it.'), 2);
});

test('documents in a row have no line break between them; an image before one has', () => {
  const model = 'claude-haiku-4-5';
  const one = behind(model, 'Compare');
  assert.equal(count(model, text('Compare'), pdf, pdf) - count(model, text('Compare'), pdf), one - 1);
  assert.equal(count(model, text('Compare'), image, pdf) - count(model, text('Compare'), image), one + 1);
});

test('a title costs a token less where its document is cited', () => {
  const titled = (cited: boolean): number => {
    const citations = { enabled: cited };
    return (
      count('claude-sonnet-4-5', { ...pdf, citations, title: 'A title' }) -
      count('claude-sonnet-4-5', { ...pdf, citations })
    );
  };
  assert.equal(titled(false) - titled(true), 1);
});

test('blanks at the end of a turn count on Opus 4.8 and are dropped on Opus 5', () => {
  assert.equal(count('claude-opus-4-8', text('a ')) - count('claude-opus-4-8', text('a')), 1);
  assert.equal(count('claude-opus-5', text('a ')) - count('claude-opus-5', text('a')), 0);
});
