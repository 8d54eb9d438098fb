import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import type { ApiVersion } from './checked-request.ts';
import { formatProblem } from './problem.ts';
import { validateRequest } from './validate-request.ts';

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });
const use = (id: string, name = 'f') => ({ type: 'tool_use', id, name, input: {} });
const result = (id: string, content: unknown = 'ok') => ({ type: 'tool_result', tool_use_id: id, content });
const createRequest = (messages: unknown, rest: object = {}) => ({ model: 'claude-opus-5', messages, ...rest });
const tool = { name: 'f', description: 'd', input_schema: { type: 'object', properties: {}, required: [] } };

const validateToMessage = (body: unknown, version: ApiVersion = '2023-06-01'): string | undefined => {
  const problem = validateRequest(body, version);
  return problem && formatProblem(problem);
};

describe('messages of the real API', () => {
  const rows: [name: string, body: unknown, message: string][] = [
    ['unknown field', createRequest([user('a')], { max_tokens: 1 }), 'max_tokens: Extra inputs are not permitted'],
    [
      'inherited name',
      createRequest([user('a')], JSON.parse('{"__proto__": 1}')),
      '__proto__: Extra inputs are not permitted',
    ],
    ['no model', { messages: [user('a')] }, 'model: Field required'],
    ['no messages', { model: 'm' }, 'messages: Field required'],
    ['empty messages', createRequest([]), 'messages: at least one message is required'],
    ['messages no list', createRequest({}), 'messages: Input should be a valid array'],
    ['no role', createRequest([{ content: 'a' }]), 'messages.0.role: Field required'],
    ['no content', createRequest([{ role: 'user' }]), 'messages.0.content: Field required'],
    [
      'empty text',
      createRequest([user([{ type: 'text', text: '' }])]),
      'messages: text content blocks must be non-empty',
    ],
    [
      'blank text',
      createRequest([user([{ type: 'text', text: ' \n\u00a0\u3000' }])]),
      'messages: text content blocks must contain non-whitespace text',
    ],
    ['blank string', createRequest([user('  ')]), 'messages: text content blocks must contain non-whitespace text'],
    [
      'empty system text',
      createRequest([user('a')], { system: [{ type: 'text', text: '' }] }),
      'system: text content blocks must be non-empty',
    ],
    [
      'empty message',
      createRequest([user('a'), assistant('b'), user(''), user([])]),
      'messages.2: user messages must have non-empty content',
    ],
    [
      'tool name',
      createRequest([user('a')], { tools: [{ ...tool, name: 'a b' }] }),
      "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    ],
    [
      'tool without schema',
      createRequest([user('a')], { tools: [{ name: 'f' }] }),
      'tools.0.custom.input_schema: Field required',
    ],
    ['tool twice', createRequest([user('a')], { tools: [tool, tool] }), 'tools: Tool names must be unique.'],
  ];
  for (const [name, body, message] of rows) test(name, () => assert.equal(validateToMessage(body), message));
});

describe('paths of nested problems', () => {
  const image = (source: object) =>
    user([
      { type: 'text', text: 'a' },
      { type: 'image', source },
    ]);
  const rows: [body: unknown, start: string][] = [
    [
      createRequest([image({ type: 'base64', media_type: 'image/png' })]),
      'messages.0.content.1.image.source.base64.data: Field required',
    ],
    [
      createRequest([image({ type: 'base64', media_type: 'image/bmp', data: 'a' })]),
      "messages.0.content.1.image.source.base64.media_type: Input should be 'image/jpeg', ",
    ],
    [
      createRequest([image({ type: 'file', file_id: 'f' })]),
      'messages.0.content.1.image.source: File sources are not supported in the token counting endpoint.',
    ],
    [
      createRequest([user([{ type: 'audio' }])]),
      "messages.0.content.0: Input tag 'audio' found using 'type' does not match any of the expected tags: ",
    ],
    [createRequest([user([{ type: 'constructor' }])]), "messages.0.content.0: Input tag 'constructor'"],
    [
      createRequest([user([{ type: 'text', text: 'a', foo: 1 }])]),
      'messages.0.content.0.text.foo: Extra inputs are not permitted',
    ],
    [
      createRequest([user([{ type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl: '2h' } }])]),
      "messages.0.content.0.text.cache_control.ephemeral.ttl: Input should be '5m' or '1h'",
    ],
    [
      createRequest([user([result('t1', [{ type: 'thinking' }])])]),
      "messages.0.content.0.tool_result.content.0: Input tag 'thinking'",
    ],
    [
      createRequest([user([{ type: 'document', source: { type: 'content', content: [{ type: 'text' }] } }])]),
      'messages.0.content.0.document.source.content.content.0.text.text: Field required',
    ],
    [
      createRequest([user('a')], { tools: [tool, { type: 'web_search_banana', name: 'w' }] }),
      "tools.1: Input tag 'web_search_banana' found using 'type' does not match any of the expected tags: ",
    ],
    [createRequest([user('a')], { mcp_servers: [{}] }), 'mcp_servers: must be empty'],
    [createRequest([user([use('t1')])]), 'messages.0: `tool_use` blocks can only be in `assistant` messages'],
  ];
  for (const [body, start] of rows)
    test(start, () => assert.ok(validateToMessage(body)?.startsWith(start), validateToMessage(body)));
});

test('valid requests', () => {
  const cache_control = { type: 'ephemeral', ttl: '1h' };
  const validRequests: unknown[] = [
    createRequest([assistant('a')]),
    createRequest([user('a'), assistant('')]),
    createRequest([user('a'), assistant([]), user('b')]),
    createRequest([user(''), user('b')]),
    createRequest([
      user('a'),
      user('b'),
      assistant([use('t1'), use('t2')]),
      user([result('t1')]),
      user([result('t2', [{ type: 'text', text: 'x' }])]),
      assistant('c'),
    ]),
    createRequest([user('a')], {
      system: '',
      cache_control,
      thinking: { type: 'adaptive' },
      tool_choice: { type: 'auto' },
      mcp_servers: [],
      speed: null,
    }),
    createRequest([user('a')], {
      tools: [
        { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
        { type: 'bash_20250124', name: 'bash' },
      ],
    }),
    createRequest([
      user('a'),
      assistant([
        { type: 'thinking', thinking: 't', signature: 's' },
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } },
        {
          type: 'web_search_tool_result',
          tool_use_id: 'srvtoolu_1',
          content: [{ type: 'web_search_result', title: 't', url: 'u', encrypted_content: 'e', page_age: null }],
        },
        { type: 'text', text: ' ' },
      ]),
      user('b'),
    ]),
  ];
  for (const body of validRequests) assert.equal(validateToMessage(body), undefined);
});

test('rejects documents of the assistant and citations of the user in 2026-10-21', () => {
  const documents = createRequest([
    user('a'),
    assistant([{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x' } }]),
  ]);
  const citations = [
    {
      type: 'search_result_location',
      cited_text: 'x',
      search_result_index: 0,
      source: 's',
      start_block_index: 0,
      end_block_index: 1,
    },
  ];
  const cited = createRequest([user([{ type: 'text', text: 'a', citations }])]);
  for (const body of [documents, cited]) {
    assert.equal(validateToMessage(body), undefined);
  }
  assert.match(
    validateToMessage(documents, '2026-10-21')!,
    /^messages\.1\.content: 'document' blocks are not permitted/,
  );
  assert.match(validateToMessage(cited, '2026-10-21')!, /^messages\.0\.content\.0\.text\.citations: /);
});

test('accepts 100,000 messages in linear time and rejects one more', () => {
  const messages = Array.from({ length: 100_000 }, (_, index) =>
    index % 2 === 0 ? user([{ type: 'text', text: 'a' }]) : assistant('b'),
  );
  assert.equal(validateToMessage(createRequest(messages)), undefined);
  assert.match(
    validateToMessage(createRequest([...messages, user('a')]))!,
    /^messages: List should have at most 100000 items/,
  );
});
