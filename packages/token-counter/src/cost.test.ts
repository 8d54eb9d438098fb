import { describe, test } from 'vitest';
import assert from 'node:assert/strict';
import { type CostOptions, estimateCost, remaining } from './cost.ts';
import { describeModel } from './models/describe-model.ts';
import { countTokens } from './prompt/count-request.ts';
import type { CountTokensRequest, TokenCount } from './request-types.ts';

/** Returns a count with these tokens by path. The path of the frame is empty. */
function createCount(tokensByPath: Readonly<Record<string, number>>): TokenCount {
  const parts = Object.entries(tokensByPath);
  return {
    input_tokens: parts.reduce((sum, [, tokens]) => sum + tokens, 0),
    breakdown: parts.map(([path, tokens]) => ({ path, tokens, kind: path === '' ? 'frame' : 'text', exact: true })),
  };
}

const CACHE_5M = { cache_control: { type: 'ephemeral' } };
const CACHE_1H = { cache_control: { type: 'ephemeral', ttl: '1h' } };
const ask = (model: string, content = 'Hello, world'): CountTokensRequest => ({
  model,
  messages: [{ role: 'user', content }],
});

const cachedSystem: CountTokensRequest = {
  ...ask('claude-sonnet-5-5'),
  system: [{ type: 'text', text: 'Long instructions', ...CACHE_5M }],
};
const cachedSystemCount = createCount({ '': 10, 'system.0': 20_000, 'messages.0.content': 1_000 });
const twoLifetimes: CountTokensRequest = {
  ...ask('claude-opus-5-5'),
  tools: [{ name: 'get_time', input_schema: { type: 'object' }, ...CACHE_1H }],
  system: [{ type: 'text', text: 'Instructions', ...CACHE_5M }],
};
const twoLifetimesCount = createCount({ 'tools.0': 30_000, 'system.0': 10_000, 'messages.0.content': 5_000 });
const conversation: CountTokensRequest = {
  model: 'claude-fable-5-1',
  messages: [
    { role: 'user', content: 'One' },
    { role: 'assistant', content: 'Two' },
    { role: 'user', content: 'Three' },
  ],
};
const conversationCount = createCount({
  '': 30,
  'messages.0.content': 20_000,
  'messages.1.content': 9_970,
  'messages.2.content': 10_000,
});

// The amounts are worked out by hand from the provider's price page, dollars per million tokens.
test.each<[title: string, request: CountTokensRequest, options: CostOptions, dollars: number]>([
  ['Sonnet 4.5, 10 tokens at $3', ask('claude-sonnet-4-5'), {}, 0.00003],
  ['Opus 5, 17 tokens at $5', { ...ask('claude-opus-5'), system: 'Be brief.' }, {}, 0.000085],
  ['Haiku 4.5, 150,000 tokens at $1', ask('claude-haiku-4-5'), { count: createCount({ '': 150_000 }) }, 0.15],
  ['Haiku 5.5 up to 100,000 tokens at $0.10', ask('claude-haiku-5-5'), { count: createCount({ '': 100_000 }) }, 0.01],
  ['Haiku 5.5 above, at $0.50', ask('claude-haiku-5-5'), { count: createCount({ '': 100_001 }) }, 0.0500005],
  // 150,000 × 0.05 + 50,000 × 0.50
  ['Haiku 5.5 above, read', ask('claude-haiku-5-5'), { count: createCount({ '': 2e5 }), cached: 150_000 }, 0.0325],
  // 20,000 × 2.50 + 1,010 × 2
  ['Sonnet 5.5, system written', cachedSystem, { count: cachedSystemCount }, 0.05202],
  // 20,000 × 0.10 + 1,010 × 2
  ['Sonnet 5.5, system read', cachedSystem, { count: cachedSystemCount, cached: true }, 0.00402],
  // 30,000 × 8 + 10,000 × 5 + 5,000 × 4
  ['Opus 5.5, tools for 1 h and system for 5 min', twoLifetimes, { count: twoLifetimesCount }, 0.31],
  // 30,000 × 0.20 + 10,000 × 5 + 5,000 × 4
  ['Opus 5.5, tools read', twoLifetimes, { count: twoLifetimesCount, cached: 30_000 }, 0.076],
  // 40,000 × 12.50
  ['Fable 5.1, all written', { ...conversation, ...CACHE_5M }, { count: conversationCount }, 0.5],
  // 40,000 × 0.25
  ['Fable 5.1, all read', { ...conversation, ...CACHE_5M }, { count: conversationCount, cached: true }, 0.01],
  // 10,000 × 0.30, which is not 1.25 times the price of its input
  ['Haiku 3, written', { ...ask('claude-3-haiku'), ...CACHE_5M }, { count: createCount({ '': 1e4 }) }, 0.003],
])('gives the cost by the published prices of %s', (_title, request, options, dollars) => {
  const cost = estimateCost(request, options);
  assert.ok(cost !== null && Math.abs(cost - dollars) < 1e-12, `${cost}`);
});

/** Returns the tokens up to the last breakpoint: those that `cached: true` reads instead of writing them. */
function countCachedTokens(request: CountTokensRequest, count: TokenCount): number {
  const { input, cacheRead } = describeModel(request.model)!.price!;
  const cost = estimateCost(request, { count, cached: true })!;
  return Math.round((count.input_tokens * input - cost * 1e6) / (input - cacheRead!));
}

describe('the last breakpoint', () => {
  const cache = (block: object) => [{ ...block, ...CACHE_5M }];
  test.each<[place: string, blocks: object[], tokens: number]>([
    ['a message', cache({ type: 'text', text: 'One' }), 1_010],
    ['a block of a result', [{ type: 'tool_result', content: cache({}) }], 1_010],
    ['a document', [{ type: 'document', source: { content: cache({}) } }], 1_010],
    ['no message', [{ type: 'text', text: 'One' }], 1_520],
  ])('includes the parts before it when it is on %s', (_place, content, tokens) => {
    const request = {
      model: 'claude-sonnet-4-5',
      messages: [
        { role: 'user', content },
        { role: 'assistant', content: 'Two' },
      ],
    };
    const count = createCount({ '': 20, 'messages.0.content.0': 1_000, 'messages.1.content': 500 });
    assert.equal(countCachedTokens(request as CountTokensRequest, count), tokens);
  });

  test('is the one behind all others when several are given', () => {
    const request = {
      ...twoLifetimes,
      model: 'claude-sonnet-4-5',
      messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello', ...CACHE_5M }] }],
    };
    const count = createCount({ 'tools.0': 7, tool_choice: 5, 'system.0': 3, 'messages.0.content.0': 2 });
    assert.equal(countCachedTokens(request, count), 17);
    assert.equal(countCachedTokens({ ...request, messages: conversation.messages }, count), 10);
  });

  test('is near the count of the request up to it', () => {
    const text = 'The weather in Lisbon is sunny. '.repeat(20);
    const messages = Array.from({ length: 40 }, (_, index) => ({
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: [{ type: 'text' as const, text, ...(index === 10 && CACHE_5M) }],
    }));
    for (const model of ['claude-sonnet-4-5', 'claude-opus-4-7', 'claude-opus-5']) {
      const count = countTokens({ model, messages });
      const before = countTokens({ model, messages: messages.slice(0, 11) }).input_tokens;
      assert.ok(Math.abs(countCachedTokens({ model, messages }, count) - before) < 20);
    }
  });
});

test('reads at most the whole input and at least nothing', () => {
  const request = ask('claude-sonnet-4-5');
  assert.equal(estimateCost(request, { cached: 1_000 }), 0.000003);
  assert.equal(estimateCost(request, { cached: -5 }), estimateCost(request));
});

test('returns null when a needed price is not published', () => {
  const request = ask('claude-mythos-preview');
  const count = createCount({ '': 1_000 });
  assert.equal(estimateCost(request, { count }), 0.025);
  assert.equal(estimateCost({ ...request, ...CACHE_5M }, { count }), null);
  assert.equal(estimateCost(request, { count, cached: 1 }), null);
  assert.equal(estimateCost({ ...ask('claude-opus-4-6'), speed: 'fast' }), null);
});

test('returns the room for the answer when the context window is known', () => {
  const request = ask('claude-haiku-4-5');
  assert.equal(remaining(request), 64_000);
  assert.equal(remaining(request, { count: createCount({ '': 150_000 }) }), 50_000);
  assert.equal(remaining(request, { count: createCount({ '': 200_001 }) }), 0);
  assert.equal(remaining(ask('claude-mythos-preview')), null);
});

test('throws a RangeError when the model is unknown', () => {
  assert.throws(() => estimateCost(ask('claude-none')), RangeError);
  assert.throws(() => remaining(ask('claude-none')), RangeError);
});
