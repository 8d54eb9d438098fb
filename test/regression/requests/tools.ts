import {
  createAssistantMessage,
  type Block,
  type Body,
  type NamedRequest,
  toNamedRequest,
  createText,
  createUserMessage,
} from './body.ts';

const ask = createUserMessage('How high is the tide at noon?');
const createSchema = (properties: Body = {}, more: Body = {}): Block => ({ type: 'object', properties, ...more });
const tide = {
  name: 'tide',
  description: 'Gives the height of the tide, in metres.',
  input_schema: createSchema(
    {
      at: { type: 'string', format: 'date-time', description: 'The moment' },
      place: { type: 'string', enum: ['pier', 'lock'] },
    },
    { required: ['at'] },
  ),
};
const boats = {
  name: 'list_boats',
  description: 'Lists boats.\nOne a line; "late" ones last — größte zuerst.',
  input_schema: createSchema(
    {
      filter: {
        type: 'object',
        properties: {
          seats: { type: ['integer', 'null'], minimum: 1, default: 4 },
          tags: { type: 'array', items: { type: 'string' } },
        },
        additionalProperties: false,
      },
      order: { anyOf: [{ const: 'name' }, { $ref: '#/$defs/order' }] },
    },
    { $defs: { order: { type: 'string', pattern: '^[a-z]+$' } }, additionalProperties: false },
  ),
};
const createDatedTool = (type: string, more: Body = {}): Block => ({ type, ...more });

/** Custom tools and the tool choice. */
const definitions: readonly NamedRequest[] = [
  toNamedRequest('one tool', [ask], { tools: [tide] }),
  toNamedRequest('two tools and a system text', [ask], { tools: [tide, boats], system: 'You know the sea.' }),
  toNamedRequest('a tool without description', [ask], { tools: [{ name: 'ping', input_schema: { type: 'object' } }] }),
  toNamedRequest('a tool of nulls', [ask], {
    tools: [{ name: 'ping', type: null, input_schema: { type: 'object', properties: null, required: null } }],
  }),
  toNamedRequest('a tool with every field', [ask], {
    tools: [
      {
        ...tide,
        type: 'custom',
        input_schema: { ...tide.input_schema, additionalProperties: false },
        strict: true,
        defer_loading: false,
        eager_input_streaming: true,
        input_examples: [{ at: '2026-03-14T12:00:00Z', place: 'pier' }, { at: 'noon' }],
        allowed_callers: ['direct', 'code_execution_20260120'],
        cache_control: { type: 'ephemeral', ttl: '1h' },
      },
      { ...boats, strict: false, defer_loading: true, eager_input_streaming: false },
      { name: 'ping', eager_input_streaming: null, input_schema: createSchema(), cache_control: null },
    ],
  }),
  toNamedRequest('no tools', [ask], { tools: [] }),
  ...['auto', 'any'].flatMap((type) => [
    toNamedRequest(`tool choice ${type}`, [ask], { tools: [tide], tool_choice: { type } }),
    toNamedRequest(`tool choice ${type}, one at a time`, [ask], {
      tools: [tide, boats],
      tool_choice: { type, disable_parallel_tool_use: true },
    }),
  ]),
  toNamedRequest('tool choice none', [ask], { tools: [tide], tool_choice: { type: 'none' } }),
  toNamedRequest('a forced tool', [ask], { tools: [tide, boats], tool_choice: { type: 'tool', name: 'tide' } }),
  toNamedRequest('a forced tool, one at a time', [ask], {
    tools: [tide],
    tool_choice: { type: 'tool', name: 'tide', disable_parallel_tool_use: true },
  }),
  toNamedRequest('a forced tool, several at a time', [ask], {
    tools: [tide],
    tool_choice: { type: 'tool', name: 'tide', disable_parallel_tool_use: false },
  }),
];

/** Tools of the provider, one version each. */
const providerTools: readonly NamedRequest[] = [
  createDatedTool('bash_20250124', { name: 'bash' }),
  createDatedTool('text_editor_20250728', { name: 'str_replace_based_edit_tool', max_characters: 10_000 }),
  createDatedTool('computer_20251124', {
    name: 'computer',
    display_width_px: 1280,
    display_height_px: 800,
    enable_zoom: true,
  }),
  createDatedTool('computer_toolset_20260801'),
  createDatedTool('browser_toolset_20260801'),
  createDatedTool('memory_20250818', { name: 'memory' }),
  createDatedTool('web_search_20250305', { name: 'web_search', max_uses: 3, allowed_domains: ['tides.example'] }),
  createDatedTool('web_fetch_20250910', {
    name: 'web_fetch',
    citations: { enabled: true },
    cache_control: { type: 'ephemeral' },
  }),
  createDatedTool('code_execution_20250522', { name: 'code_execution' }),
  createDatedTool('code_execution_20260120', { name: 'code_execution' }),
  createDatedTool('tool_search_tool_bm25_20251119', { name: 'tool_search_tool_bm25' }),
  createDatedTool('tool_search_tool_regex_20251119', { name: 'tool_search_tool_regex' }),
  createDatedTool('advisor_20260301', { name: 'advisor', model: 'claude-opus-4-6' }),
].map((tool) => toNamedRequest(`provided tool ${String(tool['type'])}`, [ask], { tools: [tool, tide] }));

const call = (id: string, more: Body = {}): Block => ({
  type: 'tool_use',
  id,
  name: 'tide',
  input: { at: 'noon' },
  ...more,
});
const createToolResult = (id: string, more: Body = {}): Block => ({ type: 'tool_result', tool_use_id: id, ...more });
const createAnsweredRequest = (name: string, more: Body, extra: Body = { tools: [tide] }): NamedRequest =>
  toNamedRequest(
    `result: ${name}`,
    [
      ask,
      createAssistantMessage([createText('Let me look.'), call('call_1')]),
      createUserMessage([createToolResult('call_1', more)]),
    ],
    extra,
  );

/** Tool calls and their results. */
const calls: readonly NamedRequest[] = [
  createAnsweredRequest('a text', { content: '2.4 m' }),
  createAnsweredRequest('a text, no tools offered', { content: '2.4 m' }, {}),
  createAnsweredRequest('none', {}),
  createAnsweredRequest('an empty text', { content: '' }),
  createAnsweredRequest('an error', { content: 'no such place', is_error: true }),
  createAnsweredRequest('said to be no error', { content: 'fine', is_error: false }),
  createAnsweredRequest('no blocks', { content: [] }),
  createAnsweredRequest('blocks', {
    content: [createText('2.4 m'), createText('and rising')],
    cache_control: { type: 'ephemeral', ttl: '5m' },
  }),
  createAnsweredRequest('a document', {
    content: [
      { type: 'document', title: 'Almanac', source: { type: 'text', media_type: 'text/plain', data: 'High at noon.' } },
    ],
  }),
  createAnsweredRequest('a search result', {
    content: [
      { type: 'search_result', title: 'Tides', source: 'https://tides.example/pier', content: [createText('2.4 m')] },
    ],
  }),
  createAnsweredRequest(
    'references to tools',
    {
      content: [
        { type: 'tool_reference', tool_name: 'list_boats' },
        { type: 'tool_reference', tool_name: 'tide', cache_control: { type: 'ephemeral' } },
      ],
    },
    { tools: [tide, boats] },
  ),
  createAnsweredRequest('the state of a browser', {
    toolset_name: 'browser',
    content: [
      { type: 'browser_state', tabs: [{ id: 1, url: 'https://tides.example', title: 'Tides' }], state_changes: null },
      { type: 'browser_state', tabs: [], state_changes: [{ kind: 'navigated', tab: 1 }], cache_control: null },
    ],
  }),
  createAnsweredRequest('of no toolset', { toolset_name: null, content: 'ok' }),
  toNamedRequest('calls side by side, answered in another order', [
    ask,
    createAssistantMessage([
      call('call_1'),
      call('call_2', { toolset_name: 'sea', cache_control: { type: 'ephemeral' } }),
    ]),
    createUserMessage([
      createToolResult('call_2', { content: '1.1 m' }),
      createToolResult('call_1', { content: '2.4 m' }),
      createText('Which one?'),
    ]),
  ]),
  toNamedRequest('calls after each other', [
    ask,
    createAssistantMessage([call('call_1', { toolset_name: null })]),
    createUserMessage([createToolResult('call_1', { content: '2.4 m' })]),
    createAssistantMessage([createText('And the other?'), call('call_2', { caller: { type: 'direct' } })]),
    createUserMessage([createToolResult('call_2', { content: '1.1 m' })]),
    createAssistantMessage('2.4 m and 1.1 m.'),
    createUserMessage('Thanks'),
  ]),
  toNamedRequest('a call with nested input', [
    ask,
    createAssistantMessage([
      call('call_1', {
        name: 'list_boats',
        input: {
          filter: { seats: 4.5, tags: ['a "b"', 'ü', '\n'], open: true, none: null, at: [[], {}] },
          order: 1e21,
        },
      }),
    ]),
    createUserMessage([createToolResult('call_1', { content: 'Möwe' })]),
  ]),
];

export const tools: readonly NamedRequest[] = [...definitions, ...providerTools, ...calls];
