import {
  createAssistantMessage,
  type Block,
  type Body,
  type NamedRequest,
  toNamedRequest,
  createText,
  createUserMessage,
} from './body.ts';

const ask = createUserMessage('Look up the tide.');
const createServerToolUse = (name: string, input: Body, extra: Body = {}): Block => ({
  type: 'server_tool_use',
  id: 'srvtoolu_1',
  name,
  input,
  ...extra,
});
const createToolResult = (type: string, content: unknown, extra: Body = {}): Block => ({
  type,
  tool_use_id: 'srvtoolu_1',
  content,
  ...extra,
});
const createServerToolTurn = (name: string, ...blocks: Block[]): NamedRequest =>
  toNamedRequest(name, [
    ask,
    createAssistantMessage([...blocks, createText('High at noon.')]),
    createUserMessage('Sure?'),
  ]);

const hit = {
  type: 'web_search_result',
  title: 'Tides',
  url: 'https://tides.example/pier',
  encrypted_content: 'c2VhbGVkIHBhZ2U='.repeat(20),
};
const cached = {
  cache_control: { type: 'ephemeral' },
  caller: { type: 'code_execution_20260120', tool_id: 'srvtoolu_0' },
};

/** Server-side tools of the provider, and blocks of the beta API. */
export const serverTools: readonly NamedRequest[] = [
  createServerToolTurn(
    'a web search',
    createServerToolUse('web_search', { query: 'tide pier' }, cached),
    createToolResult(
      'web_search_tool_result',
      [{ ...hit, page_age: '2 days ago' }, { ...hit, page_age: null }, hit],
      cached,
    ),
  ),
  createServerToolTurn(
    'a web search that failed',
    createServerToolUse('web_search', { query: 'tide' }),
    createToolResult('web_search_tool_result', {
      type: 'web_search_tool_result_error',
      error_code: 'max_uses_exceeded',
    }),
  ),
  createServerToolTurn(
    'a fetched page',
    createServerToolUse('web_fetch', { url: 'https://tides.example/pier' }),
    createToolResult(
      'web_fetch_tool_result',
      {
        type: 'web_fetch_result',
        url: 'https://tides.example/pier',
        content: { title: 'Tides', text: 'High at noon.' },
      },
      cached,
    ),
  ),
  createServerToolTurn(
    'executed code',
    createServerToolUse('code_execution', { code: 'print(2 + 2)' }),
    createToolResult(
      'code_execution_tool_result',
      { type: 'code_execution_result', stdout: '4\n', stderr: '', return_code: 0, content: [] },
      cached,
    ),
  ),
  createServerToolTurn(
    'an executed command',
    createServerToolUse('bash_code_execution', { command: 'ls -la' }),
    createToolResult(
      'bash_code_execution_tool_result',
      { type: 'bash_code_execution_result', stdout: 'total 0\n', return_code: 0 },
      cached,
    ),
  ),
  createServerToolTurn(
    'an edited file',
    createServerToolUse('text_editor_code_execution', { command: 'view', path: 'tide.txt' }),
    createToolResult(
      'text_editor_code_execution_tool_result',
      { type: 'text_editor_code_execution_view_result', content: 'high 6:12' },
      cached,
    ),
  ),
  ...(['tool_search_tool_regex', 'tool_search_tool_bm25'] as const).map((name) =>
    createServerToolTurn(
      `a search for tools: ${name}`,
      createServerToolUse(name, { query: 'tide' }),
      createToolResult(
        'tool_search_tool_result',
        { type: 'tool_search_tool_search_result', tool_references: [] },
        cached,
      ),
    ),
  ),
  createServerToolTurn(
    'advice',
    createServerToolUse('advisor', {}),
    createToolResult('advisor_tool_result', { type: 'advisor_result', text: 'Ask for the pier.' }, cached),
  ),
  toNamedRequest('an uploaded file', [
    createUserMessage([
      { type: 'container_upload', file_id: 'file_011' },
      { type: 'container_upload', file_id: 'file_012', cache_control: null },
      createText('Read it.'),
    ]),
  ]),
  createServerToolTurn(
    'a tool of another server',
    {
      type: 'mcp_tool_use',
      id: 'mcptoolu_1',
      name: 'tide',
      server_name: 'sea',
      input: { at: 'noon' },
      cache_control: { type: 'ephemeral' },
    },
    {
      type: 'mcp_tool_result',
      tool_use_id: 'mcptoolu_1',
      content: [createText('2.4 m')],
      is_error: false,
      cache_control: { type: 'ephemeral' },
    },
    { type: 'mcp_tool_use', id: 'mcptoolu_2', name: 'tide', server_name: 'sea', input: {} },
    { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_2', content: 'no such place', is_error: true },
    { type: 'mcp_tool_use', id: 'mcptoolu_3', name: 'tide', server_name: 'sea', input: {} },
    { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_3' },
  ),
  toNamedRequest('a summary of what was said before', [
    createUserMessage([{ type: 'compaction', content: 'They asked for tides.' }, createText('And now?')]),
  ]),
  createServerToolTurn(
    'tools that came and went',
    { type: 'tool_addition', tool_name: 'tide' },
    { type: 'tool_removal', tool_name: 'ping' },
  ),
  createServerToolTurn('a list of tools of another server', {
    type: 'mcp_tool_listing',
    server_name: 'sea',
    tools: [{ name: 'tide' }],
  }),
  createServerToolTurn('another model stood in', { type: 'fallback', from: 'claude-opus-5', to: 'claude-sonnet-5' }),
];
