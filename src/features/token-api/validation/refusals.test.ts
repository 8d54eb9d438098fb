/**
 * The sentences of the real API for each kind of invalid request. `source` is a public report or a published measurement
 * of the sentence.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { isSeries5, listModels } from '../../../../packages/token-counter/src/index.ts';
import { formatProblem } from './problem.ts';
import { validateRequest } from './validate-request.ts';

interface Row {
  name: string;
  body: object;
  message: string;
  source: string;
}

const NEW_MODEL = 'claude-opus-4-8';
const OLD_MODEL = 'claude-sonnet-4-5';
const text = (value: string, more: object = {}): object => ({ type: 'text', text: value, ...more });
const user = (content: unknown): object => ({ role: 'user', content });
const assistant = (content: unknown): object => ({ role: 'assistant', content });
const system = (content: unknown): object => ({ role: 'system', content });
const call = (id: string): object => ({ type: 'tool_use', id, name: 'f', input: {} });
const result = (id: string, more: object = {}): object => ({ type: 'tool_result', tool_use_id: id, ...more });
const thinking = (value: string, signature: string): object => ({ type: 'thinking', thinking: value, signature });
const tool = (name: string, more: object = {}): object => ({ name, input_schema: { type: 'object' }, ...more });
const withSchema = (schema: object): object => ({ name: 'f', input_schema: { type: 'object', ...schema } });
const cached = (ttl?: string): object => ({ cache_control: { type: 'ephemeral', ...(ttl !== undefined && { ttl }) } });
const createRequest = (messages: object[], more: object = {}): object => ({ model: OLD_MODEL, messages, ...more });
const onNewModel = (...messages: object[]): object => createRequest(messages, { model: NEW_MODEL });
const withTools = (...tools: object[]): object => createRequest([user('x')], { tools });
const ANY_POSITION = 'the directive-only form (content: [] with output_config) is accepted at any position';
const LATE_TTL =
  "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in " +
  'the following order: `tools`, `system`, `messages`.';
const DRAFT =
  'JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more ' +
  'about tool use at https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview.';
const UNEXPECTED_SYSTEM =
  'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an ' +
  'input message role.';

const unanswered = (message: number, ids: string): string =>
  `messages.${message}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. Each ` +
  '`tool_use` block must have a corresponding `tool_result` block in the next message.';

function defineTests(title: string, rows: readonly Row[]): void {
  describe(title, () => {
    test.each(rows)('rejects $name', ({ body, message }) => {
      const problem = validateRequest(body, '2023-06-01');
      assert.equal(problem && formatProblem(problem), message);
    });
  });
}

defineTests('cache breakpoints', [
  {
    name: 'five in tools, system, messages and the request',
    body: createRequest([user([text('a', cached()), text('b', cached())])], {
      tools: [tool('f', cached())],
      system: [text('s', cached())],
      ...cached(),
    }),
    message: 'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    source: 'continuedev/continue#6937, docker/docker-agent#3692',
  },
  {
    name: 'a long lifetime in the system after a short one in the tools',
    body: createRequest([user('x')], { tools: [tool('f', cached())], system: [text('s', cached('1h'))] }),
    message: `system.0.cache_control.ttl: ${LATE_TTL}`,
    source: 'cnighswonger/claude-code-cache-fix#44',
  },
  {
    name: 'a long lifetime of a result after a short one',
    body: createRequest([
      user([text('a', cached('5m'))]),
      assistant([call('t1')]),
      user([result('t1', { content: 'x', ...cached('1h') })]),
    ]),
    message: `messages.2.content.0.cache_control.ttl: ${LATE_TTL}`,
    source: 'headroomlabs-ai/headroom#2939',
  },
  {
    name: 'a breakpoint on an empty text',
    body: createRequest([user([text('a'), text('', cached())])]),
    message: 'messages.0.content.1.text: cache_control cannot be set for empty text blocks',
    source: 'anthropics/claude-code, reports of 2025-08 to 2026-09',
  },
  {
    name: 'a breakpoint on an empty system text',
    body: createRequest([user('x')], { system: [text('', cached())] }),
    message: 'system.0: cache_control cannot be set for empty text blocks',
    source: 'reports of 2026-09',
  },
  {
    name: 'a breakpoint within a result and on it',
    body: createRequest([
      user('x'),
      assistant([call('t1')]),
      user([result('t1', { content: [text('a', cached())], ...cached() })]),
    ]),
    message:
      'messages.2.content.0.tool_result.content.0.cache_control: cache_control may not be specified within ' +
      '`tool_result.content`. Instead, place it directly on `tool_result`',
    source: 'measured on counting, 2026-09-30',
  },
  {
    name: 'two lifetimes on the last block',
    body: createRequest([user([text('a', cached('1h'))])], cached('5m')),
    message:
      "Top-level cache_control has ttl='5m' but the target block already has cache_control with ttl='1h'. When both are " +
      'specified on the same block, they must have matching TTLs.',
    source: 'measured on counting, 2026-09-30',
  },
  {
    name: 'an unknown field',
    body: createRequest([user('x')], {
      system: [text('s', { cache_control: { type: 'ephemeral', scope: 'global' } })],
    }),
    message: 'system.0.cache_control.ephemeral.scope: Extra inputs are not permitted',
    source: 'reports of 2026-05 and later',
  },
]);

defineTests('tool calls and results', [
  {
    name: 'an image before a result',
    body: createRequest([
      user('x'),
      assistant([call('t1')]),
      user([{ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }, result('t1')]),
    ]),
    message: unanswered(1, 't1'),
    source: 'QwenLM/qwen-code#8161',
  },
  {
    name: 'a result after the text of an earlier message',
    body: createRequest([
      user('x'),
      assistant([call('t1'), call('t2')]),
      user([result('t1'), text('y')]),
      user([result('t2')]),
    ]),
    message: unanswered(1, 't2'),
    source: 'measured 2026-07-25',
  },
  {
    name: 'calls in the last message',
    body: createRequest([user('x'), assistant([call('t1'), call('t2')])]),
    message: unanswered(1, 't1, t2'),
    source: 'anthropics/claude-code#7929',
  },
  {
    name: 'a result of an unknown call',
    body: createRequest([user('x'), assistant([call('t1')]), user([result('t9')])]),
    message:
      'messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: t9. Each `tool_result` block must ' +
      'have a corresponding `tool_use` block in the previous message.',
    source: 'anthropics/claude-code#18947',
  },
  {
    name: 'two results of a call',
    body: createRequest([user('x'), assistant([call('t1')]), user([result('t1')]), user([result('t1')])]),
    message:
      'messages.3.content.0: each tool_use must have a single result. Found multiple `tool_result` blocks with id: t1',
    source: 'reports of 2026-06',
  },
  {
    name: 'two calls with one id',
    body: createRequest([user('x'), assistant([text('y'), call('t1'), call('t1')])]),
    message: 'messages.1.content.2: `tool_use` ids must be unique',
    source: 'reports of 2026',
  },
  {
    name: 'a result of the assistant',
    body: createRequest([user('x'), assistant([result('t1')])]),
    message: 'messages.1: `tool_result` blocks can only be in `user` messages',
    source: 'reports of 2026',
  },
  {
    name: 'an image in the result of a failed call',
    body: createRequest([
      user('x'),
      assistant([call('t1')]),
      user([
        result('t1', {
          is_error: true,
          content: [{ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }],
        }),
      ]),
    ]),
    message: 'messages.2.content.0.tool_result: all content must be type `text` if `is_error` is true',
    source: 'can1357/oh-my-pi, reports of 2026',
  },
  {
    name: 'an input that is no object',
    body: createRequest([user('x'), assistant([{ ...call('t1'), input: '{}' }])]),
    message: 'messages.1.content.0.tool_use.input: Input should be an object',
    source: 'reports of 2026',
  },
  {
    name: 'an id of a result with other characters',
    body: createRequest([user([result('a:b')])]),
    message: "messages.0.content.0.tool_result.tool_use_id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    source: 'reports of 2026-08',
  },
  {
    name: 'a long name in a call',
    body: createRequest([user('x'), assistant([{ ...call('t1'), name: 'n'.repeat(201) }])]),
    message: 'messages.1.content.0.tool_use.name: String should have at most 200 characters',
    source: 'official changelog of 2026-09',
  },
  {
    name: 'an empty name in a call',
    body: createRequest([user('x'), assistant([{ ...call('t1'), name: '' }])]),
    message: 'messages.1.content.0.tool_use.name: String should have at least 1 character',
    source: 'TanStack/ai#532',
  },
  {
    name: 'an unknown field in the text of a result',
    body: createRequest([
      user('x'),
      assistant([call('t1')]),
      user([result('t1', { content: [text('a', { id: 'i' })] })]),
    ]),
    message: 'messages.2.content.0.tool_result.content.0.text.id: Extra inputs are not permitted',
    source: 'langchain-ai/langchain#40483',
  },
]);

const SERVER_RESULTS = ['web_search', 'web_fetch', 'code_execution', 'bash_code_execution', 'tool_search', 'advisor'];
defineTests('server tools', [
  ...SERVER_RESULTS.map((name): Row => ({
    name: `a result of ${name} without its call`,
    body: onNewModel(
      user('x'),
      assistant([
        text('y'),
        {
          type: `${name}_tool_result`,
          tool_use_id: 'srvtoolu_1',
          content: name === 'web_search' ? [] : {},
        },
      ]),
      user('z'),
    ),
    message:
      `messages.1.content.1: unexpected \`tool_use_id\` found in \`${name}_tool_result\` blocks: srvtoolu_1. Each ` +
      `\`${name}_tool_result\` block must have a corresponding \`server_tool_use\` block before it.`,
    source: 'anthropics/claude-code#64383, #65726',
  })),
  {
    name: 'a call that a user turn leaves open',
    body: onNewModel(
      user('x'),
      assistant([{ type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }]),
      user('y'),
    ),
    message:
      'messages.1: `web_search` tool use with id `srvtoolu_1` was found without a corresponding `web_search_tool_result` ' +
      'block',
    source: 'official documentation of server tools, reports of 2026-07',
  },
  {
    name: 'an id of another form',
    body: onNewModel(user('x'), assistant([{ type: 'server_tool_use', id: 'call_1', name: 'web_search', input: {} }])),
    message: "messages.1.content.0.server_tool_use.id: String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'",
    source: 'reports of 2026-07',
  },
]);

defineTests('thinking', [
  {
    name: 'thinking without a signature',
    body: onNewModel(user('x'), assistant([thinking('hm', ''), text('y')]), user('z')),
    message: 'messages.1.content.0: Invalid `signature` in `thinking` block',
    source: 'UKGovernmentBEIS/inspect_ai#4420',
  },
  {
    name: 'redacted thinking without data',
    body: onNewModel(user('x'), assistant([{ type: 'redacted_thinking', data: '' }, text('y')]), user('z')),
    message: 'messages.1.content.0: Invalid `data` in `redacted_thinking` block',
    source: 'anthropics/claude-code#56708',
  },
  {
    name: 'a missing signature field',
    body: onNewModel(user('x'), assistant([{ type: 'thinking', thinking: 'a' }])),
    message: 'messages.1.content.0.thinking.signature: Field required',
    source: 'reports of 2026-02',
  },
  {
    name: 'thinking in the last message while it is off',
    body: createRequest([user('x'), assistant([thinking('a', 'b'), text('y')])]),
    message:
      'messages.1.content.0: When thinking is disabled, an `assistant` message in the final position cannot contain ' +
      '`thinking`. To use thinking blocks, enable `thinking` in your request.',
    source: 'tailcallhq/forgecode#1853',
  },
  {
    name: 'a last turn without thinking while it is on',
    body: createRequest([user('x'), assistant([call('t1')]), user([result('t1')])], {
      thinking: { type: 'enabled', budget_tokens: 1024 },
    }),
    message:
      'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is ' +
      'enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` ' +
      'and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid this ' +
      'requirement, disable `thinking`. Please consult our documentation at ' +
      'https://docs.claude.com/en/docs/build-with-claude/extended-thinking',
    source: 'anomalyco/opencode#3077',
  },
  {
    name: 'thinking at the end',
    body: createRequest([user('x'), assistant([text('y'), thinking('a', 'b')])], { thinking: { type: 'adaptive' } }),
    message: 'messages.1: The final block in an assistant message cannot be `thinking`.',
    source: 'tailcallhq/forgecode#2107',
  },
  {
    name: 'thinking with a forced tool',
    body: createRequest([user('x')], {
      tools: [tool('f')],
      tool_choice: { type: 'any' },
      thinking: { type: 'enabled', budget_tokens: 1024 },
    }),
    message: 'Thinking may not be enabled when tool_choice forces tool use.',
    source: 'reports of 2025 and 2026',
  },
  {
    name: 'a small budget',
    body: createRequest([user('x')], { thinking: { type: 'enabled', budget_tokens: 512 } }),
    message: 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024',
    source: 'measured 2026-09-09',
  },
]);

defineTests('tools', [
  {
    name: 'a property that is no schema',
    body: withTools(withSchema({ properties: { x: 'number' } })),
    message: `tools.0.custom.input_schema: ${DRAFT}`,
    source: 'kintone/mcp-server#547, anthropics/claude-code#86664',
  },
  {
    name: 'a list of schemas of draft 7',
    body: withTools(tool('e'), withSchema({ properties: { x: { type: 'array', items: [{ type: 'string' }] } } })),
    message: `tools.1.custom.input_schema: ${DRAFT}`,
    source: 'kintone/mcp-server#553',
  },
  {
    name: 'an exclusive minimum of draft 4',
    body: withTools(withSchema({ properties: { x: { type: 'integer', exclusiveMinimum: true } } })),
    message: `tools.0.custom.input_schema: ${DRAFT}`,
    source: 'reports of 2026',
  },
  {
    name: 'a property name with other characters',
    body: withTools(withSchema({ properties: { 'a/b': {} } })),
    message: "tools.0.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'",
    source: 'reports of 2026-07',
  },
  {
    name: 'a combined schema',
    body: withTools(withSchema({ anyOf: [{}] })),
    message: 'tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level',
    source: 'Hmbown/Codewhale#4329',
  },
  {
    name: 'a schema without a type',
    body: withTools({ name: 'f', input_schema: { properties: {} } }),
    message: 'tools.0.custom.input_schema.type: Field required',
    source: 'reports of 2026',
  },
  {
    name: 'a schema of another type',
    body: withTools({ name: 'f', input_schema: { type: 'array' } }),
    message: "tools.0.custom.input_schema.type: Input should be 'object'",
    source: 'reports of 2025',
  },
  {
    name: 'an open object of a strict tool',
    body: withTools({ ...tool('f'), strict: true }),
    message: "tools.0.custom: For 'object' type, 'additionalProperties' must be explicitly set to false",
    source: 'measured 2026-09-04',
  },
  {
    name: 'a long name',
    body: withTools(tool('t'.repeat(129))),
    message: 'tools.0.custom.name: String should have at most 128 characters',
    source: 'measured 2026-10-05',
  },
  {
    name: 'an empty name',
    body: withTools(tool('')),
    message: 'tools.0.custom.name: String should have at least 1 character',
    source: 'measured 2026-09-04',
  },
  {
    name: 'an unknown field',
    body: withTools({ ...tool('f'), parameters: {} }),
    message: 'tools.0.custom.parameters: Extra inputs are not permitted',
    source: 'reports of 2026',
  },
  {
    name: 'only deferred tools',
    body: withTools(tool('a', { defer_loading: true }), tool('b', { defer_loading: true })),
    message: 'At least one tool must have defer_loading=false. All tools cannot be deferred.',
    source: 'official documentation of tool search',
  },
  {
    name: 'a reference to an absent tool',
    body: createRequest(
      [
        user('x'),
        assistant([call('t1')]),
        user([result('t1', { content: [{ type: 'tool_reference', tool_name: 'g' }] })]),
      ],
      { tools: [tool('f')] },
    ),
    message: "Tool reference 'g' not found in available tools",
    source: 'anthropics/claude-code#81863',
  },
  {
    name: 'a forced tool without tools',
    body: createRequest([user('x')], { tool_choice: { type: 'any' } }),
    message: 'tool_choice.any may only be specified while providing tools',
    source: 'measured 2026-09-04',
  },
  {
    name: 'an absent forced tool',
    body: createRequest([user('x')], { tool_choice: { type: 'tool', name: 'x' } }),
    message: "Tool 'x' not found in provided tools",
    source: 'measured 2026-09-04',
  },
]);

const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
defineTests('system messages', [
  {
    name: 'the first message',
    body: onNewModel(system('s'), user('x')),
    message: `messages.0: use the top-level 'system' parameter for the initial system prompt; ${ANY_POSITION}`,
    source: 'kangminlee-maker/local-OAuth-CLI-API-adapter, diegosouzapw/OmniRoute#9520, measured 2026-08-31',
  },
  {
    name: 'any on an older model',
    body: createRequest([user('x'), system('s')]),
    message: UNEXPECTED_SYSTEM,
    source: 'simonw/llm-anthropic#73',
  },
  {
    name: 'one after the assistant',
    body: onNewModel(user('x'), assistant('y'), system('s'), user('z')),
    message:
      "messages.2: role 'system' must follow a 'user' message or an 'assistant' message ending in a server tool result; " +
      ANY_POSITION,
    source: 'measured 2026-10-06',
  },
  {
    name: 'two before the user',
    body: onNewModel(user('x'), system('s'), system('t'), user('z')),
    message: `messages.2: role 'system' must precede an 'assistant' message or end the array; ${ANY_POSITION}`,
    source: 'anthropics/claude-code#73821, measured 2026-10-06',
  },
  {
    name: 'one without content and effort',
    body: onNewModel(user('x'), { role: 'system', output_config: {} }),
    message: 'messages.1.content: Field required',
    source: 'kangminlee-maker/local-OAuth-CLI-API-adapter',
  },
  {
    name: 'its fields in another message',
    body: onNewModel({ ...user('x'), clear_at: 'never' }),
    message: 'messages.0.clear_at: Extra inputs are not permitted',
    source: 'types of @anthropic-ai/sdk 1.14.0',
  },
  {
    name: 'an empty one',
    body: onNewModel(user('x'), system([])),
    message: 'messages.1: system content must contain at least one block',
    source: 'measured 2026-10-06',
  },
  {
    name: 'an image',
    body: onNewModel(user('x'), system([image])),
    message: "messages.1: role 'system' supports text, tool_addition, and tool_removal blocks only",
    source: 'measured 2026-10-06',
  },
  {
    name: 'white space',
    body: onNewModel(user('x'), system(' ')),
    message: 'messages.1: system text blocks must contain non-whitespace text',
    source: 'measured 2026-08-31',
  },
]);

defineTests('types of fields, in the order of the real API', [
  ...(
    [
      ['a model of another type', { model: 7 }, 'model: Input should be a valid string'],
      ['a null model', { model: null }, 'model: Input should be a valid string'],
      ['an empty model', { model: '' }, 'model: String should have at least 1 character'],
      ['a tool choice before tools', { tools: 'x', tool_choice: 7 }, 'tool_choice: Input should be an object'],
      ['tools before messages', { messages: 'x', tools: 'x' }, 'tools: Input should be a valid array'],
      ['a tool of another type', { tools: [7] }, 'tools.0: Input should be an object'],
      ['messages before system', { messages: 'x', system: 7 }, 'messages: Input should be a valid array'],
      ['a null content', { messages: [user(null)] }, 'messages.0.content: Input should be a valid array'],
      ['a block of another type', { messages: [user([7])] }, 'messages.0.content.0: Input should be an object'],
      ['a block without a type', { messages: [user([{}])] }, 'messages.0.content.0.type: Field required'],
      [
        'an unknown role',
        { messages: [{ role: 'developer', content: 'x' }] },
        'messages: Unexpected role "developer". Allowed roles are "user" or "assistant"',
      ],
      [
        'an unknown field of a message',
        { messages: [{ ...user('x'), bogus: 1 }], system: 7 },
        'messages.0.bogus: Extra inputs are not permitted',
      ],
      ['system before thinking', { thinking: 'x', system: 7 }, 'system: Input should be a valid array'],
      ['a system block of another type', { system: [7] }, 'system.0: Input does not match the expected shape.'],
      ['an image in the system', { system: [image] }, "system.0.type: Input should be 'text'"],
      ['thinking before output_config', { output_config: 'x', thinking: 'x' }, 'thinking: Input should be an object'],
      [
        'output_config before cache_control',
        { cache_control: 'x', output_config: 'x' },
        'output_config: Input does not match the expected shape.',
      ],
      ['a field before an unknown one', { zzz: 1, cache_control: 'x' }, 'cache_control: Input should be an object'],
      [
        'an unknown field before an empty turn',
        { messages: [user([])], zzz: 1 },
        'zzz: Extra inputs are not permitted',
      ],
      ['an empty turn', { messages: [user([])] }, 'messages.0: user messages must have non-empty content'],
      [
        'a text of another type',
        { messages: [user([text(7 as unknown as string)])] },
        'messages.0.content.0.text.text: Input should be a valid string',
      ],
    ] as const
  ).map(([name, more, message]): Row => ({
    name,
    body: createRequest([user('x')], more),
    message,
    source: 'measured 2026-08-31 and 2026-09-04',
  })),
  {
    name: 'an image of the assistant',
    body: createRequest([user('x'), assistant([image]), user('y')]),
    message: "messages.1.content: 'image' blocks are not permitted within assistant turns",
    source: 'measured 2026-09-20',
  },
  {
    name: 'white space at the end of the last assistant block',
    body: createRequest([user('x'), assistant([text('y'), text('z\n')])]),
    message: 'messages: final assistant content cannot end with trailing whitespace',
    source: 'tailcallhq/forgecode#1872',
  },
]);

describe('accepted requests', () => {
  const serverTurn = [
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
    { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
  ];
  const rows: readonly (readonly [name: string, body: object])[] = [
    [
      'results of parallel calls in several messages',
      createRequest([
        user('x'),
        assistant([call('t1'), call('t2')]),
        user([result('t2')]),
        user([result('t1'), text('y')]),
      ]),
    ],
    [
      'four breakpoints from long to short',
      createRequest([user([text('a', cached('1h')), text('b', cached())])], {
        system: [text('s', cached('1h'))],
        ...cached(),
      }),
    ],
    [
      'system messages after results and at the end',
      onNewModel(user('x'), assistant([call('t1')]), user([result('t1')]), system('s'), system([text('t')])),
    ],
    [
      'a system message without content that sets the effort',
      onNewModel({ role: 'system', output_config: { effort: 'low' } }, user('x'), assistant('y'), {
        ...system([]),
        output_config: { effort: 'high' },
      }),
    ],
    [
      'a system message that a later user message hides',
      onNewModel(user('x'), { ...system('s'), clear_at: 'next_user_message' }, assistant('y'), user('z')),
    ],
    [
      'a system message after a server result',
      onNewModel(user('x'), assistant(serverTurn), system('s'), assistant('y'), user('z')),
    ],
    ['a paused call of a server tool', onNewModel(user('x'), assistant(serverTurn.slice(0, 1)))],
    ['signed thinking without text', onNewModel(user('x'), assistant([thinking('', 'b'), text('y')]), user('z'))],
    [
      'thinking of a newer model without the setting',
      createRequest([user('x'), assistant([thinking('a', 'b'), call('t1')]), user([result('t1')])], {
        model: 'claude-sonnet-5',
      }),
    ],
    [
      'a turn without thinking while it is adaptive',
      createRequest([user('x'), assistant([call('t1')]), user([result('t1')])], {
        model: NEW_MODEL,
        thinking: { type: 'adaptive' },
      }),
    ],
    [
      'a schema that names draft 7',
      withTools(
        withSchema({
          $schema: 'http://json-schema.org/draft-07/schema#',
          properties: { a: { type: ['string', 'null'] } },
        }),
      ),
    ],
    ['a reference to a tool beside its definition', withTools(tool('f'), tool('g', { defer_loading: true }))],
    ['thinking in a user turn', createRequest([user([thinking('a', 'b')])])],
    ['blank text beside text of the user', createRequest([user([text('hi'), text(' ')])])],
    [
      'blank text beside text of the assistant',
      createRequest([user('x'), assistant([text(' '), text('ok')]), user('y')]),
    ],
    ['blank text beside an image', createRequest([user([image, text('\n')])])],
    [
      'thinking in a turn that a result follows while thinking is off',
      createRequest([user('x'), assistant([thinking('a', 'b'), call('t1')]), user([result('t1')])], {
        model: 'claude-haiku-4-5',
        thinking: { type: 'disabled' },
      }),
    ],
    [
      'a binding of thinking blocks without a type of thinking',
      createRequest([user('x')], {
        model: 'claude-fable-5-1',
        thinking: { block_binding: { prefix_mismatch_behavior: 'drop_block' } },
      }),
    ],
    ['a closed strict tool', withTools({ ...withSchema({ additionalProperties: false }), strict: true })],
    ['a tool choice of none without tools', createRequest([user('x')], { tool_choice: { type: 'none' } })],
  ];
  test.each(rows)('accepts %s', (_name, body) => {
    const problem = validateRequest(body, '2023-06-01');
    assert.equal(problem && formatProblem(problem), undefined);
  });
});

test('rejects a schema that exceeds the stack and accepts a long one', () => {
  let deep: object = {};
  for (let level = 0; level < 20_000; level += 1) deep = { not: deep };
  const properties = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, index) => [`p${index}`, { type: 'string' }]),
  );
  const problem = validateRequest(withTools(withSchema({ not: deep })), '2023-06-01');
  assert.equal(problem && formatProblem(problem), `tools.0.custom.input_schema: ${DRAFT}`);
  assert.equal(validateRequest(withTools(withSchema({ properties })), '2023-06-01'), undefined);
});

describe('a system message after a user message', () => {
  const series5 = listModels().filter(isSeries5);
  const older = listModels().filter((model) => !isSeries5(model));

  test.each(series5)('is accepted when the model is $id', ({ id }) => {
    assert.equal(validateRequest({ model: id, messages: [user('x'), system('s')] }, '2023-06-01'), undefined);
  });

  test.each(older)('is rejected when the model is $id', ({ id }) => {
    const problem = validateRequest({ model: id, messages: [user('x'), system('s')] }, '2023-06-01');

    assert.equal(problem && formatProblem(problem), UNEXPECTED_SYSTEM);
  });

  test('is accepted by every model since Opus 4.8 and by no older one', () => {
    const opus48 = listModels().find(({ id }) => id === 'claude-opus-4-8')!;

    for (const model of listModels()) assert.equal(isSeries5(model), model.createdAt >= opus48.createdAt, model.id);
  });
});
