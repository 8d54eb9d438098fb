import { assistant, type Block, type Body, type Named, of, text, user } from './body.ts';

const ask = user('How high is the tide at noon?');
const schema = (properties: Body = {}, more: Body = {}): Block => ({ type: 'object', properties, ...more });
const tide = {
  name: 'tide',
  description: 'Gives the height of the tide, in metres.',
  input_schema: schema(
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
  input_schema: schema(
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
const dated = (type: string, more: Body = {}): Block => ({ type, ...more });

/** Custom tools and how a model is told to use them. */
const definitions: readonly Named[] = [
  of('one tool', [ask], { tools: [tide] }),
  of('two tools and a system text', [ask], { tools: [tide, boats], system: 'You know the sea.' }),
  of('a tool without description', [ask], { tools: [{ name: 'ping', input_schema: { type: 'object' } }] }),
  of('a tool of nulls', [ask], {
    tools: [{ name: 'ping', type: null, input_schema: { type: 'object', properties: null, required: null } }],
  }),
  of('a tool with every field', [ask], {
    tools: [
      {
        ...tide,
        type: 'custom',
        strict: true,
        defer_loading: false,
        eager_input_streaming: true,
        input_examples: [{ at: '2026-03-14T12:00:00Z', place: 'pier' }, { at: 'noon' }],
        allowed_callers: ['direct', 'code_execution_20260120'],
        cache_control: { type: 'ephemeral', ttl: '1h' },
      },
      { ...boats, strict: false, defer_loading: true, eager_input_streaming: false },
      { name: 'ping', eager_input_streaming: null, input_schema: schema(), cache_control: null },
    ],
  }),
  of('no tools', [ask], { tools: [] }),
  ...['auto', 'any'].flatMap((type) => [
    of(`tool choice ${type}`, [ask], { tools: [tide], tool_choice: { type } }),
    of(`tool choice ${type}, one at a time`, [ask], {
      tools: [tide, boats],
      tool_choice: { type, disable_parallel_tool_use: true },
    }),
  ]),
  of('tool choice none', [ask], { tools: [tide], tool_choice: { type: 'none' } }),
  of('a forced tool', [ask], { tools: [tide, boats], tool_choice: { type: 'tool', name: 'tide' } }),
  of('a forced tool, one at a time', [ask], {
    tools: [tide],
    tool_choice: { type: 'tool', name: 'tide', disable_parallel_tool_use: true },
  }),
  of('a forced tool, several at a time', [ask], {
    tools: [tide],
    tool_choice: { type: 'tool', name: 'tide', disable_parallel_tool_use: false },
  }),
];

/** Tools of the provider, in a version each. */
const provided: readonly Named[] = [
  dated('bash_20250124', { name: 'bash' }),
  dated('text_editor_20250728', { name: 'str_replace_based_edit_tool', max_characters: 10_000 }),
  dated('computer_20251124', { name: 'computer', display_width_px: 1280, display_height_px: 800, enable_zoom: true }),
  dated('computer_toolset_20260801'),
  dated('browser_toolset_20260801'),
  dated('memory_20250818', { name: 'memory' }),
  dated('web_search_20250305', { name: 'web_search', max_uses: 3, allowed_domains: ['tides.example'] }),
  dated('web_fetch_20250910', {
    name: 'web_fetch',
    citations: { enabled: true },
    cache_control: { type: 'ephemeral' },
  }),
  dated('code_execution_20250522', { name: 'code_execution' }),
  dated('code_execution_20260120', { name: 'code_execution' }),
  dated('tool_search_tool_bm25_20251119', { name: 'tool_search_tool_bm25' }),
  dated('tool_search_tool_regex_20251119', { name: 'tool_search_tool_regex' }),
  dated('advisor_20260301', { name: 'advisor', model: 'claude-opus-4-6' }),
].map((tool) => of(`provided tool ${String(tool['type'])}`, [ask], { tools: [tool, tide] }));

const call = (id: string, more: Body = {}): Block => ({
  type: 'tool_use',
  id,
  name: 'tide',
  input: { at: 'noon' },
  ...more,
});
const result = (id: string, more: Body = {}): Block => ({ type: 'tool_result', tool_use_id: id, ...more });
const answered = (name: string, more: Body, extra: Body = { tools: [tide] }): Named =>
  of(
    `result: ${name}`,
    [ask, assistant([text('Let me look.'), call('call_1')]), user([result('call_1', more)])],
    extra,
  );

/** Calls and what came back. */
const calls: readonly Named[] = [
  answered('a text', { content: '2.4 m' }),
  answered('a text, no tools offered', { content: '2.4 m' }, {}),
  answered('none', {}),
  answered('an empty text', { content: '' }),
  answered('an error', { content: 'no such place', is_error: true }),
  answered('said to be no error', { content: 'fine', is_error: false }),
  answered('no blocks', { content: [] }),
  answered('blocks', { content: [text('2.4 m'), text('and rising')], cache_control: { type: 'ephemeral', ttl: '5m' } }),
  answered('a document', {
    content: [
      { type: 'document', title: 'Almanac', source: { type: 'text', media_type: 'text/plain', data: 'High at noon.' } },
    ],
  }),
  answered('a search result', {
    content: [
      { type: 'search_result', title: 'Tides', source: 'https://tides.example/pier', content: [text('2.4 m')] },
    ],
  }),
  answered(
    'references to tools',
    {
      content: [
        { type: 'tool_reference', tool_name: 'list_boats' },
        { type: 'tool_reference', tool_name: 'tide', cache_control: { type: 'ephemeral' } },
      ],
    },
    { tools: [tide, boats] },
  ),
  answered('the state of a browser', {
    toolset_name: 'browser',
    content: [
      { type: 'browser_state', tabs: [{ id: 1, url: 'https://tides.example', title: 'Tides' }], state_changes: null },
      { type: 'browser_state', tabs: [], state_changes: [{ kind: 'navigated', tab: 1 }], cache_control: null },
    ],
  }),
  answered('of no toolset', { toolset_name: null, content: 'ok' }),
  of('calls side by side, answered in another order', [
    ask,
    assistant([call('call_1'), call('call_2', { toolset_name: 'sea', cache_control: { type: 'ephemeral' } })]),
    user([result('call_2', { content: '1.1 m' }), result('call_1', { content: '2.4 m' }), text('Which one?')]),
  ]),
  of('calls after each other', [
    ask,
    assistant([call('call_1', { toolset_name: null })]),
    user([result('call_1', { content: '2.4 m' })]),
    assistant([text('And the other?'), call('call_2', { caller: { type: 'direct' } })]),
    user([result('call_2', { content: '1.1 m' })]),
    assistant('2.4 m and 1.1 m.'),
    user('Thanks'),
  ]),
  of('a call with nested input', [
    ask,
    assistant([
      call('call_1', {
        name: 'list_boats',
        input: {
          filter: { seats: 4.5, tags: ['a "b"', 'ü', '\n'], open: true, none: null, at: [[], {}] },
          order: 1e21,
        },
      }),
    ]),
    user([result('call_1', { content: 'Möwe' })]),
  ]),
];

export const tools: readonly Named[] = [...definitions, ...provided, ...calls];
