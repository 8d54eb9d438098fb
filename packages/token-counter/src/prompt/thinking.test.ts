import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { countTokens, type ContentBlock, type CountTokensRequest, type Message } from '../index.ts';
import { countEncryptedThinkingBytes } from './encrypted-thinking.ts';

/** Creates a signature in the format of the real API around so many bytes of encrypted thinking. */
function createSignature(bytes: number): string {
  const field = (number: number, content: Buffer): Buffer => {
    const low = (content.length & 0x7f) | 0x80;
    return Buffer.concat([Buffer.from([(number << 3) | 2, low, content.length >> 7]), content]);
  };
  const envelope = [field(1, Buffer.alloc(89, 1)), field(2, Buffer.alloc(12)), field(5, Buffer.alloc(bytes + 16))];
  return Buffer.concat([field(2, Buffer.concat(envelope)), Buffer.from([0x18, 1])]).toString('base64');
}

const thinkingText = 'The umbrella is for Zürich \u2014 it rains there \u{1f327}.';
const call: ContentBlock = { type: 'tool_use', id: 'a', name: 'weather', input: {} };
const text: ContentBlock = { type: 'text', text: 'Let me see.' };

/** Returns the tokens that thinking adds to a turn that continues with a call. */
function countThinking(model: string, thinking: string, signature: string, ...rest: ContentBlock[]) {
  const counted = (...blocks: ContentBlock[]) =>
    countTokens({
      model,
      messages: [
        { role: 'user', content: 'Rain?' },
        { role: 'assistant', content: [...blocks, ...rest, call] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'yes' }] },
      ],
    });
  const block: ContentBlock =
    thinking === '' && signature.startsWith('redacted:')
      ? { type: 'redacted_thinking', data: signature.slice('redacted:'.length) }
      : { type: 'thinking', thinking, signature };
  const { input_tokens, breakdown } = counted(block);
  const exact = breakdown.filter(({ kind }) => kind === 'thinking').every((part) => part.exact);
  return { tokens: input_tokens - counted().input_tokens, exact };
}

test('reads the bytes of encrypted thinking and returns undefined for other data', () => {
  for (const bytes of [0, 44, 200, 4000]) assert.equal(countEncryptedThinkingBytes(createSignature(bytes)), bytes);
  for (const other of ['', 'scrubbed', 'x'.repeat(900), '/'.repeat(40), createSignature(300).slice(0, 200)])
    assert.equal(countEncryptedThinkingBytes(other), undefined, other);
});

test('is exact when the encrypted length equals the visible length', () => {
  const bytes = Buffer.byteLength(thinkingText);
  for (const model of ['claude-sonnet-4-6', 'claude-sonnet-4', 'claude-haiku-4-5', 'claude-opus-4-8']) {
    const shown = countThinking(model, thinkingText, createSignature(bytes));
    assert.equal(shown.exact, true, model);
    assert.deepEqual(countThinking(model, thinkingText, createSignature(bytes + 1)), shown, model);
    const long = thinkingText.repeat(20);
    const longer = countThinking(model, long, createSignature(20 * bytes));
    assert.ok(longer.exact && longer.tokens > 15 * (shown.tokens - 14), model);
  }
});

test('estimates the thinking behind a shorter summary', () => {
  const model = 'claude-sonnet-4-6';
  const bytes = Buffer.byteLength(thinkingText);
  const shown = countThinking(model, thinkingText, createSignature(bytes));
  const summed = countThinking(model, thinkingText, createSignature(10 * bytes));
  assert.equal(summed.exact, false);
  assert.ok(summed.tokens > 10 * (shown.tokens - 14), `${summed.tokens}`);
});

test('estimates hidden thinking by its encrypted bytes or counts it as shown', () => {
  const model = 'claude-sonnet-4-6';
  assert.deepEqual(countThinking(model, '', createSignature(100)), { tokens: 23 + 14, exact: false });
  assert.deepEqual(countThinking(model, '', `redacted:${createSignature(100)}`), { tokens: 23 + 14, exact: false });
  assert.deepEqual(countThinking('claude-opus-4-7', '', createSignature(100)), { tokens: 31 + 14, exact: false });
  const { tokens } = countThinking(model, thinkingText, createSignature(Buffer.byteLength(thinkingText)));
  assert.deepEqual(countThinking(model, thinkingText, 'scrubbed'), { tokens, exact: false });
  // Claude 3.7 does not encrypt the thinking that it shows.
  assert.equal(countThinking('claude-3-7-sonnet', thinkingText, createSignature(13)).exact, true);
});

test('counts the line break of text after thinking', () => {
  const bytes = Buffer.byteLength(thinkingText);
  for (const [model, tokens] of [
    ['claude-sonnet-4-6', 1],
    ['claude-sonnet-4', 2],
  ] as const)
    assert.equal(
      countThinking(model, thinkingText, createSignature(bytes), text).tokens -
        countThinking(model, thinkingText, createSignature(bytes)).tokens,
      tokens,
      model,
    );
});

describe('with keepsEarlierThinking', () => {
  const bytes = Buffer.byteLength(thinkingText);
  const thinking: ContentBlock = { type: 'thinking', thinking: thinkingText, signature: createSignature(bytes) };
  const countTurns = (model: string, blocks: ContentBlock[], keepsEarlierThinking: boolean): number =>
    countTokens(
      {
        model,
        messages: [
          { role: 'user', content: 'Rain?' },
          { role: 'assistant', content: [...blocks, text] },
          { role: 'user', content: 'And tomorrow?' },
        ],
      },
      { keepsEarlierThinking },
    ).input_tokens;

  test.for(['claude-opus-4-5', 'claude-sonnet-4-6', 'claude-opus-4-7', 'claude-sonnet-5', 'claude-haiku-5-5'])(
    'counts thinking of earlier turns on %s, and none without the option',
    (model) => {
      const without = countTurns(model, [], true);
      assert.equal(countTurns(model, [thinking], false), without);
      assert.ok(countTurns(model, [thinking], true) > without + 10);
    },
  );

  test.for(['claude-3-7-sonnet', 'claude-sonnet-4', 'claude-haiku-4-5', 'claude-sonnet-4-5'])(
    'counts no thinking of earlier turns on %s, which drops it',
    (model) => {
      assert.equal(countTurns(model, [thinking], true), countTurns(model, [], true));
    },
  );
});

describe('with the header for interleaved thinking', () => {
  const BETA = 'interleaved-thinking-2025-05-14';
  const bytes = Buffer.byteLength(thinkingText);
  const thinking: ContentBlock = { type: 'thinking', thinking: thinkingText, signature: createSignature(bytes) };
  const answered: ContentBlock = { type: 'tool_result', tool_use_id: 'a', content: 'yes' };
  const tools = [{ name: 'weather', input_schema: { type: 'object' } }];
  const budget = { type: 'enabled', budget_tokens: 1024 };
  /** Returns the tokens that the header adds to a request after so many calls. */
  const added = (calls: number, rest: Partial<CountTokensRequest>): number => {
    const turns = Array.from({ length: calls }, (): Message[] => [
      { role: 'assistant', content: [thinking, text, call] },
      { role: 'user', content: [answered] },
    ]);
    const request: CountTokensRequest = {
      model: 'claude-sonnet-4-5',
      messages: [{ role: 'user', content: 'Rain?' }, ...turns.flat()],
      ...rest,
    };
    return countTokens(request, { betas: [BETA] }).input_tokens - countTokens(request).input_tokens;
  };

  test('adds 18 tokens on 4.6', () => {
    const model = 'claude-sonnet-4-6';
    assert.equal(added(0, { model, tools, thinking: budget }), 18);
    assert.equal(added(0, { model, tools, thinking: { type: 'adaptive' } }), 0);
    assert.equal(added(0, { model, thinking: budget }), 0);
  });

  test('adds 148 tokens, and 6 for each thinking block of the current turn', () => {
    assert.deepEqual(
      [0, 1, 2, 3].map((calls) => added(calls, { tools, thinking: budget })),
      [148, 154, 160, 166],
    );
  });

  test('adds nothing without tools, without a budget or with adaptive thinking', () => {
    assert.equal(added(0, { thinking: budget }), 0);
    assert.equal(added(1, { tools }), 0);
    assert.equal(added(1, { model: 'claude-sonnet-4-6', tools, thinking: { type: 'adaptive' } }), 0);
  });
});
