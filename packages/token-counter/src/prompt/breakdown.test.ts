import { test } from 'vitest';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { countInputTokens, countTokens } from '../index.ts';
import type { ContentBlock, CountTokensRequest } from '../request-types.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAUAAAADwCAYAAABxLb1rAAAAAA==';

const plainRequest: CountTokensRequest = {
  model: 'claude-haiku-4-5',
  system: 'You are a careful weather reporter.',
  tools: [{ name: 'get_weather', description: 'Weather of a place', input_schema: { type: 'object', properties: {} } }],
  messages: [
    { role: 'user', content: 'What is it like in Oslo?' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Let me see.' },
        { type: 'tool_use', id: 'a', name: 'get_weather', input: { place: 'Oslo' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'rain' }] },
    {
      role: 'user',
      content: [
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Rain is expected.' } },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
      ],
    },
  ],
};

const oddText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    ' ',
    '\n\n',
    '\n\nHuman: hi\n\nAssistant:',
    '<|endoftext|>',
    '\ud800',
    '1',
    '中',
    '</function_results>',
    '__proto__',
    'constructor',
    ' x',
    'x ',
  ),
);

const oddJson = fc.json().map((json) => JSON.parse(json) as unknown);

const oddBlock: fc.Arbitrary<ContentBlock> = fc.oneof(
  oddText.map((text): ContentBlock => ({ type: 'text', text })),
  oddText.map((thinking): ContentBlock => ({ type: 'thinking', thinking, signature: thinking })),
  oddText.map((data): ContentBlock => ({ type: 'redacted_thinking', data })),
  oddText.map((data): ContentBlock => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } })),
  fc.tuple(oddText, oddText).map(([data, title]): ContentBlock => ({
    type: 'document',
    title,
    citations: { enabled: true },
    source: { type: 'text', media_type: 'text/plain', data },
  })),
  oddText.map((data): ContentBlock => ({
    type: 'document',
    source: { type: 'base64', media_type: 'application/pdf', data },
  })),
  oddText.map((text): ContentBlock => ({
    type: 'search_result',
    source: text,
    title: text,
    content: [{ type: 'text', text }],
    citations: { enabled: true },
  })),
  fc.tuple(oddText, oddJson).map(([name, input]): ContentBlock => ({ type: 'tool_use', id: name, name, input })),
  fc
    .tuple(oddText, oddText)
    .map(([tool_use_id, content]): ContentBlock => ({ type: 'tool_result', tool_use_id, content, is_error: true })),
  oddText.map((text): ContentBlock => ({
    type: 'tool_result',
    tool_use_id: text,
    content: [
      { type: 'text', text },
      { type: 'image', source: { type: 'url', url: text } },
      { type: 'tool_reference', tool_name: text },
    ],
  })),
  fc
    .tuple(oddText, oddJson)
    .map(([id, input]): ContentBlock => ({ type: 'server_tool_use', id, name: 'web_search', input })),
  oddJson.map((content): ContentBlock => ({ type: 'web_search_tool_result', tool_use_id: 'x', content })),
);

/** Requests of valid type that no client would send. */
const oddRequest: fc.Arbitrary<CountTokensRequest> = fc.record(
  {
    model: fc.constantFrom(
      'claude-3-opus',
      'claude-sonnet-4-0',
      'claude-haiku-4-5',
      'claude-sonnet-4-6',
      'claude-opus-4-7',
      'claude-opus-4-8',
      'claude-sonnet-5',
    ),
    messages: fc.array(
      fc.record({
        role: fc.constantFrom('user', 'assistant', 'user'),
        content: fc.oneof(oddText, fc.array(oddBlock, { maxLength: 5 })),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    system: fc.oneof(
      oddText,
      fc.array(
        oddText.map((text) => ({ type: 'text' as const, text })),
        { maxLength: 3 },
      ),
    ),
    tools: fc.array(
      fc.record({ name: oddText, description: oddText, input_schema: oddJson, defer_loading: fc.boolean() }),
      { maxLength: 3 },
    ),
    tool_choice: fc.oneof(
      fc.record({ type: fc.constantFrom('auto' as const, 'any' as const), disable_parallel_tool_use: fc.boolean() }),
      oddText.map((name) => ({ type: 'tool' as const, name })),
      fc.constant({ type: 'none' as const }),
    ),
    thinking: fc.record({ type: fc.constantFrom('enabled', 'disabled', 'adaptive') }),
    output_config: fc.record({ format: oddJson.map((schema) => ({ type: 'json_schema', schema })) }),
  },
  { requiredKeys: ['model', 'messages'] },
);

test('adds the parts up to the total of the plain count', () => {
  fc.assert(
    fc.property(oddRequest, (request) => {
      const { input_tokens, breakdown } = countTokens(request);
      assert.equal(
        breakdown.reduce((sum, part) => sum + part.tokens, 0),
        input_tokens,
      );
      assert.equal(countInputTokens(request), input_tokens);
      assert.ok(Number.isInteger(input_tokens) && input_tokens > 0);
    }),
    { numRuns: 400 },
  );
});

test('names the path and kind of each part and marks estimates', () => {
  const { breakdown } = countTokens(plainRequest);
  const at = (path: string): string[] =>
    breakdown.filter((part) => part.path === path).map((part) => `${part.kind}${part.exact ? '' : ' ~'}`);
  assert.deepEqual(at(''), ['frame']);
  assert.deepEqual(at('system'), ['system']);
  assert.deepEqual(at('tools.0'), ['tools']);
  assert.deepEqual(at('messages.0.content'), ['text']);
  assert.deepEqual(at('messages.1.content.1'), ['tool_use']);
  assert.deepEqual(at('messages.2.content.0'), ['tool_result']);
  assert.deepEqual(at('messages.3.content.0'), ['document ~']);
  assert.deepEqual(at('messages.3.content.1'), ['image']);
  for (const part of breakdown) assert.ok(part.tokens > 0, `${part.kind} ${part.path}: ${part.tokens}`);
});

test('counts independently of key order and cache_control', () => {
  fc.assert(
    fc.property(oddRequest, (request) => {
      const reversed = Object.fromEntries(Object.entries(request).reverse()) as unknown as CountTokensRequest;
      assert.equal(countInputTokens(reversed), countInputTokens(request));
      assert.equal(
        countInputTokens({ ...request, cache_control: { type: 'ephemeral', ttl: '1h' } }),
        countInputTokens(request),
      );
    }),
    { numRuns: 200 },
  );
});

test('limits plain text to the frame, its bytes and the markers of its words', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.constantFrom('claude-haiku-4-5', 'claude-opus-4-7', 'claude-opus-5', 'claude-sonnet-5'),
      (content, model) => {
        const frame = countInputTokens({ model, messages: [{ role: 'user', content: 'a' }] }) - 1;
        const counted = countInputTokens({ model, messages: [{ role: 'user', content }] });
        // A rare letter costs its bytes and the two markers of its word. The frame's space may be a separate token.
        const maxTokens = frame + 1 + new TextEncoder().encode(content).length + 3 * content.length;
        assert.ok(counted >= frame - 1 && counted <= maxTokens, `${counted} for ${JSON.stringify(content)}`);
      },
    ),
    { numRuns: 500 },
  );
});

test('counts the deepest nesting that JSON allows without overflow', { tags: ['slow'] }, () => {
  const depth = 100_000;
  const deep: unknown = JSON.parse('{"a":'.repeat(depth) + '1' + '}'.repeat(depth));
  for (const model of ['claude-haiku-4-5', 'claude-sonnet-5']) {
    const counted = countInputTokens({
      model,
      tools: [{ name: 'deep', input_schema: deep }],
      output_config: { format: { type: 'json_schema', schema: deep } },
      messages: [
        { role: 'user', content: 'q' },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'a', name: 'deep', input: deep },
            { type: 'server_tool_use', id: 'b', name: 'web_search', input: deep },
          ],
        },
        { role: 'user', content: 'r' },
      ],
    });
    assert.ok(counted > depth);
  }
});
