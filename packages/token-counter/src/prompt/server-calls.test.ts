import assert from 'node:assert/strict';
import { test } from 'vitest';
import { countTokens, type ContentBlock, type Message } from '../index.ts';

const MODELS = ['claude-3-7-sonnet', 'claude-sonnet-4-5', 'claude-sonnet-4-6', 'claude-opus-4-7', 'claude-opus-5'];
const text = (value: string): ContentBlock => ({ type: 'text', text: value });
const user = (...content: ContentBlock[]): Message => ({ role: 'user', content });
const assistant = (...content: ContentBlock[]): Message => ({ role: 'assistant', content });
const page: ContentBlock = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Rain.' } };
const tools = [
  { name: 'find', input_schema: { type: 'object' } },
  { name: 'rates', description: 'Exchange rates', input_schema: { type: 'object' }, defer_loading: true },
];

const count = (model: string, ...messages: Message[]) => countTokens({ model, messages, tools });

/** A server tool call with its result, and the equivalent of a client tool. */
const pairs: readonly [string, ContentBlock, ContentBlock, ContentBlock, ContentBlock][] = [
  [
    'a search for tools',
    { type: 'server_tool_use', id: 'a', name: 'find', input: { query: 'rates' } },
    {
      type: 'tool_search_tool_result',
      tool_use_id: 'a',
      content: {
        type: 'tool_search_tool_search_result',
        tool_references: [{ type: 'tool_reference', tool_name: 'rates' }],
      },
    },
    { type: 'tool_use', id: 'a', name: 'find', input: { query: 'rates' } },
    { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'tool_reference', tool_name: 'rates' }] },
  ],
  [
    'a fetched page',
    { type: 'server_tool_use', id: 'a', name: 'web_fetch', input: { url: 'https://example.com' } },
    {
      type: 'web_fetch_tool_result',
      tool_use_id: 'a',
      content: { type: 'web_fetch_result', url: 'https://example.com', content: page },
    },
    { type: 'tool_use', id: 'a', name: 'web_fetch', input: { url: 'https://example.com' } },
    { type: 'tool_result', tool_use_id: 'a', content: [page] },
  ],
];

for (const [description, serverCall, serverResult, call, result] of pairs)
  test(`writes ${description} like a call and a result of a client tool`, () => {
    for (const model of MODELS) {
      const clientTurns = [
        user(text('Hi')),
        assistant(text('Let me see.'), call),
        user(result),
        assistant(text('There.')),
      ];
      const serverTurns = [user(text('Hi')), assistant(text('Let me see.'), serverCall, serverResult, text('There.'))];
      const expected = count(model, ...clientTurns, user(text('Thanks')));
      const counted = count(model, ...serverTurns, user(text('Thanks')));
      assert.equal(counted.input_tokens, expected.input_tokens, model);
      const parts = counted.breakdown.filter(({ path }) => path.startsWith('messages.1.')).map(({ path }) => path);
      assert.ok(
        ['messages.1.content.1', 'messages.1.content.3'].every((path) => parts.includes(path)),
        model,
      );
      assert.equal(
        count(model, ...serverTurns).input_tokens,
        count(model, ...clientTurns).input_tokens,
        'the answer goes on',
      );
    }
  });

test('estimates a result of unknown content at its path', () => {
  const search = (content: unknown) =>
    count(
      'claude-sonnet-4-5',
      user(text('Hi')),
      assistant(
        { type: 'server_tool_use', id: 'a', name: 'web_search', input: { query: 'rain' } },
        { type: 'web_search_tool_result', tool_use_id: 'a', content },
        text('It rains.'),
      ),
      user(text('Thanks')),
    );
  const found = {
    type: 'web_search_result',
    url: 'https://example.com',
    title: 'Rain',
    encrypted_content: 'x'.repeat(1000),
  };
  const one = search([found]);
  // 200 characters of each result belong to its encryption.
  const longer = search([{ ...found, encrypted_content: 'x'.repeat(2000) }]);
  assert.equal(longer.input_tokens - one.input_tokens, 366);
  const empty = search([{ ...found, encrypted_content: 'x'.repeat(100) }]);
  assert.equal(one.input_tokens - empty.input_tokens, 293);
  assert.ok(one.breakdown.some(({ kind, exact }) => kind === 'server_tool' && !exact));
  const failed = search({ type: 'web_search_tool_result_error', error_code: 'unavailable' });
  assert.ok(failed.input_tokens < one.input_tokens);
});
