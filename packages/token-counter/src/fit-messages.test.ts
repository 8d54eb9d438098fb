import assert from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { runsLongTests, seed } from '../../../test/support/long-tests.ts';
import { createConversations } from '../test/conversations.ts';
import { fitMessages } from './fit-messages.ts';
import { countInputTokens } from './prompt/count-request.ts';
import type { ContentBlock, CountTokensRequest, Message } from './request-types.ts';

const system = 'Be brief.';
const tools = [{ name: 'look_up', input_schema: { type: 'object', properties: { query: { type: 'string' } } } }];

/** A request with some conversation, on a model with or without system messages inside it. */
const request = fc.constantFrom('claude-sonnet-4-5', 'claude-opus-4-7', 'claude-opus-5').chain((model) =>
  createConversations(model === 'claude-opus-5', 8).map((messages): CountTokensRequest => ({
    model,
    system,
    tools,
    messages,
  })),
);

const isFirstOfTurn = (messages: readonly Message[], index: number): boolean => {
  const { role, content = '' } = messages[index]!;
  const hasResult = typeof content !== 'string' && content.some(({ type }) => type === 'tool_result');
  return index === 0 || (role === 'user' && messages[index - 1]!.role !== 'user' && !hasResult);
};

/** Drops one turn after another and counts again after each. */
function fitOneByOne(whole: CountTokensRequest, maxTokens: number, keep: number) {
  const starts = whole.messages.map((_, index) => index).filter((index) => isFirstOfTurn(whole.messages, index));
  const droppable = [0, ...starts.slice(1, Math.max(1, starts.length - keep + 1))];
  let result = { dropped: 0, input_tokens: 0, fits: false };
  for (const dropped of droppable) {
    const input_tokens = countInputTokens({ ...whole, messages: whole.messages.slice(dropped) });
    result = { dropped, input_tokens, fits: input_tokens <= maxTokens };
    if (result.fits) break;
  }
  return result;
}

test('drops the same turns as a count after each dropped turn', () => {
  console.log(`seed ${seed}`);
  fc.assert(
    fc.property(
      request,
      fc.integer({ min: 1, max: 4 }),
      fc.double({ min: -0.1, max: 1.1, noNaN: true }),
      (whole, keep, share) => {
        const maxTokens = Math.round(countInputTokens(whole) * share);
        const { dropped, input_tokens, fits } = fitMessages(whole, { maxTokens, keep });
        assert.deepEqual({ dropped: dropped.length, input_tokens, fits }, fitOneByOne(whole, maxTokens, keep));
      },
    ),
    { seed, numRuns: runsLongTests ? 5_000 : 400 },
  );
});

test('returns all messages in order in an otherwise unchanged request', () => {
  fc.assert(
    fc.property(request, fc.nat(2_000), (whole, maxTokens) => {
      const {
        request: { messages, ...rest },
        dropped,
        input_tokens,
      } = fitMessages(whole, { maxTokens });
      const { messages: allMessages, ...wholeRest } = whole;
      assert.deepEqual([...dropped, ...messages], allMessages);
      assert.deepEqual(rest, wholeRest);
      assert.equal(input_tokens, countInputTokens({ ...rest, messages }));
    }),
    { seed, numRuns: 100 },
  );
});

const say = (role: 'user' | 'assistant', content: string | ContentBlock[]): Message => ({ role, content });
const call: ContentBlock = { type: 'tool_use', id: 'a', name: 'look_up', input: { query: 'rain' } };
const result: ContentBlock = { type: 'tool_result', tool_use_id: 'a', content: 'It rains.' };

const messages = [
  say('user', 'First?'),
  say('assistant', [call]),
  say('user', [result, { type: 'text', text: 'And then?' }]),
  say('assistant', 'It pours.'),
  say('user', 'Second?'),
  say('assistant', [call]),
  say('user', [result]),
  say('assistant', 'Yes.'),
  say('user', 'Third?'),
];
const model = 'claude-sonnet-4-5';

test('says that the newest turns do not fit when they alone are too long', () => {
  for (const [keep, kept] of [
    [1, 1],
    [2, 5],
    [3, 9],
    [4, 9],
  ] as const) {
    const fitted = fitMessages({ model, messages }, { maxTokens: 1, keep });
    assert.equal(fitted.fits, false);
    assert.deepEqual(fitted.request.messages, messages.slice(-kept));
    assert.deepEqual(fitted.dropped, messages.slice(0, -kept));
  }
});

test('drops one turn when the request has one token more than fits', () => {
  const maxTokens = countInputTokens({ model, messages });
  assert.deepEqual(fitMessages({ model, messages }, { maxTokens }).dropped, []);
  const { dropped, fits } = fitMessages({ model, messages }, { maxTokens: maxTokens - 1 });
  assert.deepEqual([dropped, fits], [messages.slice(0, 4), true]);
});

test('counts with the options of a count', () => {
  const image: ContentBlock = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
  const withImage = { model, messages: [say('user', [image]), say('assistant', 'Nice.'), ...messages] };
  const maxTokens = countInputTokens(withImage, { image: () => ({ width: 10, height: 10 }) });
  assert.equal(fitMessages(withImage, { maxTokens, image: () => ({ width: 10, height: 10 }) }).dropped.length, 0);
  assert.equal(fitMessages(withImage, { maxTokens }).dropped.length, 2);
});

test('drops turns before and with a compaction block', () => {
  const summary = { type: 'compaction', content: 'It rained before.' } as ContentBlock;
  const compacted = [...messages.slice(0, 4), say('user', 'So?'), say('assistant', [summary]), ...messages.slice(4)];
  for (let maxTokens = 1; maxTokens < 300; maxTokens += 3) {
    const { dropped, input_tokens, fits } = fitMessages({ model, messages: compacted }, { maxTokens });
    assert.deepEqual(
      { dropped: dropped.length, input_tokens, fits },
      fitOneByOne({ model, messages: compacted }, maxTokens, 1),
    );
  }
});

test('throws a RangeError for an unknown model and for turns to keep below one', () => {
  for (const keep of [0, -1, 1.5, Number.NaN])
    assert.throws(() => fitMessages({ model, messages }, { maxTokens: 9, keep }), RangeError);
  assert.throws(() => fitMessages({ model: 'claude-of-nobody', messages }, { maxTokens: 9 }), RangeError);
});

test('counts the text of a conversation a few times, however many turns it has', () => {
  const longConversation = (turns: number): CountTokensRequest => ({
    model,
    messages: Array.from({ length: turns }, (_, turn) => [
      say('user', `Question ${turn}? ${'Tell me more. '.repeat(turn % 7)}`),
      say('assistant', [
        { type: 'text', text: 'Well. '.repeat(1 + (turn % 5)) },
        { ...call, id: `${turn}` },
      ]),
      say('user', [{ type: 'tool_result', tool_use_id: `${turn}`, content: `It rains ${turn} mm.` }]),
      say('assistant', 'It rains.'),
    ]).flat(),
  });
  for (const turns of [500, 2_000]) {
    const whole = longConversation(turns);
    let reads = 0;
    const counted = whole.messages.map(
      (message) =>
        new Proxy(message, {
          get: (target, name) => {
            if (name === 'content') reads++;
            return Reflect.get(target, name) as unknown;
          },
        }),
    );
    countInputTokens({ model, messages: counted });
    const readsOfCount = reads;
    for (const share of [0.1, 0.5, 0.9]) {
      const maxTokens = Math.round(countInputTokens(whole) * share);
      reads = 0;
      const { fits, dropped } = fitMessages({ model, messages: counted }, { maxTokens });
      assert.ok(fits && dropped.length > 0);
      assert.ok(reads < 8 * readsOfCount, `${turns} turns, ${share}: as many as ${reads / readsOfCount} counts`);
    }
  }
});
