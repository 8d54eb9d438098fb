import assert from 'node:assert/strict';
import { test } from 'vitest';
import { countInputTokens, countText, type ContentBlock, type Message } from '../index.ts';
import type { DocumentBlock } from '../request-types.ts';

const pages = { pages: [{ width: 612, height: 792, text: 'Hello' }] };
const options = { pdf: () => pages, image: () => ({ width: 280, height: 560 }) };
const pdf: ContentBlock = { type: 'document', source: { type: 'url', url: 'https://example.com/x.pdf' } };
const image: ContentBlock = { type: 'image', source: { type: 'url', url: 'https://example.com/x.png' } };
const text = (value: string): ContentBlock => ({ type: 'text', text: value });

function count(model: string, ...content: ContentBlock[]): number {
  return countInputTokens({ model, messages: [{ role: 'user', content }] }, options);
}

/** Returns the tokens that a document adds after a text. */
const countDocumentAfter = (model: string, textBefore: string): number =>
  count(model, text(textBefore), pdf) - count(model, text(textBefore));

test('merges the opening `<` with the preceding text when a piece allows it', () => {
  const model = 'claude-sonnet-4-5';
  for (const merging of ['Read it.', 'Read it:', 'Read (it)', 'Read it;'])
    assert.equal(countDocumentAfter(model, 'What is it?') - countDocumentAfter(model, merging), 1, merging);
  for (const separateText of ['Read it', 'Read it!', 'Read (it).', 'Read it...', 'Read 1'])
    assert.equal(countDocumentAfter(model, 'What is it?') - countDocumentAfter(model, separateText), 0, separateText);
  // From 4.6 on a line break precedes the document, and the newer vocabulary has no such pieces.
  for (const later of ['claude-sonnet-4-6', 'claude-opus-4-7', 'claude-opus-5'])
    assert.equal(countDocumentAfter(later, 'What is it?') - countDocumentAfter(later, 'Read it.'), 0, later);
  assert.equal(countDocumentAfter('claude-sonnet-4-6', 'Read it.') - countDocumentAfter(model, 'Read it.'), 2);
});

const written = (data: string): DocumentBlock => ({
  type: 'document',
  source: { type: 'text', media_type: 'text/plain', data },
});

test('merges the closing tag with the text and counts a final line break', () => {
  const end = (model: string, data: string): number => count(model, written(data)) - count(model, written('Rain'));
  assert.equal(end('claude-sonnet-4-5', 'Rain.') - end('claude-sonnet-4-5', 'Rain'), 0);
  assert.equal(end('claude-sonnet-4-5', 'Rain!') - end('claude-sonnet-4-5', 'Rain'), 1);
  for (const model of ['claude-sonnet-4-5', 'claude-sonnet-4-6', 'claude-opus-4-7', 'claude-opus-5'])
    assert.equal(end(model, 'Rain\n'), 1, model);
});

test('merges the line break between messages with the end of a text document', () => {
  const next: Message = { role: 'user', content: 'Rain?' };
  for (const model of ['claude-sonnet-4-5', 'claude-sonnet-4-6', 'claude-opus-4-7']) {
    const messages = (...content: ContentBlock[]): number =>
      countInputTokens({ model, messages: [{ role: 'user', content }, next] });
    const alone = countText('Rain?', { model });
    assert.equal(messages(written('Rain')) - count(model, written('Rain')), alone, model);
    assert.equal(messages(text('Rain')) - count(model, text('Rain')), alone + 1, model);
  }
});

test('counts citation instructions as a section with the line break before thinking', () => {
  const model = 'claude-sonnet-4-5';
  const counted = (cited: boolean, type: string): number =>
    countInputTokens({
      model,
      thinking: { type },
      messages: [{ role: 'user', content: [{ ...written('Rain'), citations: { enabled: cited } }] }],
    });
  assert.equal(counted(true, 'enabled') - counted(true, 'disabled'), 30);
  assert.equal(counted(false, 'enabled') - counted(false, 'disabled'), 29);
});

test('adds a line break after an image but not between documents', () => {
  const model = 'claude-haiku-4-5';
  const one = countDocumentAfter(model, 'Compare');
  assert.equal(count(model, text('Compare'), pdf, pdf) - count(model, text('Compare'), pdf), one - 1);
  assert.equal(count(model, text('Compare'), image, pdf) - count(model, text('Compare'), image), one + 1);
});

test('counts one token less for a title when its document is cited', () => {
  const titled = (cited: boolean): number => {
    const citations = { enabled: cited };
    return (
      count('claude-sonnet-4-5', { ...pdf, citations, title: 'A title' }) -
      count('claude-sonnet-4-5', { ...pdf, citations })
    );
  };
  assert.equal(titled(false) - titled(true), 1);
});

test('adds marks for a cited page in addition to those of its sentences', () => {
  const cited = (documentText: string): number =>
    countInputTokens(
      { model: 'claude-haiku-4-5', messages: [{ role: 'user', content: [{ ...pdf, citations: { enabled: true } }] }] },
      { pdf: () => ({ pages: [{ width: 612, height: 792, text: documentText }] }) },
    );
  assert.equal(cited('Hello') - count('claude-haiku-4-5', pdf), 476 + 16 + 7);
  assert.equal(cited('Rain. Rain.') - cited('Rain Rain.'), 16 + 1);
});

test('puts text that cites its sources in a tag with their indexes', () => {
  const answered = (citations?: object[]): number =>
    countInputTokens({
      model: 'claude-sonnet-4-6',
      messages: [
        { role: 'user', content: 'Where?' },
        { role: 'assistant', content: [{ type: 'text', text: 'Rust has three goals', citations }] },
        { role: 'user', content: 'Why?' },
      ] as Message[],
    });
  const location = {
    type: 'char_location',
    document_index: 0,
    start_char_index: 0,
    end_char_index: 9,
    cited_text: 'x',
  };
  assert.equal(answered([location]) - answered(), 17);
  assert.equal(answered([]), answered());
  assert.ok(answered([location, { ...location, document_index: 1 }]) > answered([location]));
});

test('counts trailing spaces of a turn on Opus 4.8 and drops them on Opus 5', () => {
  assert.equal(count('claude-opus-4-8', text('a ')) - count('claude-opus-4-8', text('a')), 1);
  assert.equal(count('claude-opus-5', text('a ')) - count('claude-opus-5', text('a')), 0);
});
