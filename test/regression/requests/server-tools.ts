import { assistant, type Block, type Body, type Named, of, text, user } from './body.ts';

const ask = user('Look up the tide.');
const used = (name: string, input: Body, more: Body = {}): Block => ({
  type: 'server_tool_use',
  id: 'srvtoolu_1',
  name,
  input,
  ...more,
});
const came = (type: string, content: unknown, more: Body = {}): Block => ({
  type,
  tool_use_id: 'srvtoolu_1',
  content,
  ...more,
});
const ran = (name: string, ...blocks: Block[]): Named =>
  of(name, [ask, assistant([...blocks, text('High at noon.')]), user('Sure?')]);

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

/** Tools that run on the provider's side, and blocks of the beta interface. */
export const serverTools: readonly Named[] = [
  ran(
    'a web search',
    used('web_search', { query: 'tide pier' }, cached),
    came('web_search_tool_result', [{ ...hit, page_age: '2 days ago' }, { ...hit, page_age: null }, hit], cached),
  ),
  ran(
    'a web search that failed',
    used('web_search', { query: 'tide' }),
    came('web_search_tool_result', { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' }),
  ),
  ran(
    'a fetched page',
    used('web_fetch', { url: 'https://tides.example/pier' }),
    came(
      'web_fetch_tool_result',
      {
        type: 'web_fetch_result',
        url: 'https://tides.example/pier',
        content: { title: 'Tides', text: 'High at noon.' },
      },
      cached,
    ),
  ),
  ran(
    'executed code',
    used('code_execution', { code: 'print(2 + 2)' }),
    came(
      'code_execution_tool_result',
      { type: 'code_execution_result', stdout: '4\n', stderr: '', return_code: 0, content: [] },
      cached,
    ),
  ),
  ran(
    'an executed command',
    used('bash_code_execution', { command: 'ls -la' }),
    came(
      'bash_code_execution_tool_result',
      { type: 'bash_code_execution_result', stdout: 'total 0\n', return_code: 0 },
      cached,
    ),
  ),
  ran(
    'an edited file',
    used('text_editor_code_execution', { command: 'view', path: 'tide.txt' }),
    came(
      'text_editor_code_execution_tool_result',
      { type: 'text_editor_code_execution_view_result', content: 'high 6:12' },
      cached,
    ),
  ),
  ...(['tool_search_tool_regex', 'tool_search_tool_bm25'] as const).map((name) =>
    ran(
      `a search for tools: ${name}`,
      used(name, { query: 'tide' }),
      came(
        'tool_search_tool_result',
        { type: 'tool_search_tool_search_result', tool_references: [{ type: 'tool_reference', tool_name: 'tide' }] },
        cached,
      ),
    ),
  ),
  ran(
    'advice',
    used('advisor', {}),
    came('advisor_tool_result', { type: 'advisor_result', text: 'Ask for the pier.' }, cached),
  ),
  of('an uploaded file', [
    user([
      { type: 'container_upload', file_id: 'file_011' },
      { type: 'container_upload', file_id: 'file_012', cache_control: null },
      text('Read it.'),
    ]),
  ]),
  ran(
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
      content: [text('2.4 m')],
      is_error: false,
      cache_control: { type: 'ephemeral' },
    },
    { type: 'mcp_tool_use', id: 'mcptoolu_2', name: 'tide', server_name: 'sea', input: {} },
    { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_2', content: 'no such place', is_error: true },
    { type: 'mcp_tool_use', id: 'mcptoolu_3', name: 'tide', server_name: 'sea', input: {} },
    { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_3' },
  ),
  of('a summary of what was said before', [
    user([{ type: 'compaction', content: 'They asked for tides.' }, text('And now?')]),
  ]),
  ran(
    'tools that came and went',
    { type: 'tool_addition', tool_name: 'tide' },
    { type: 'tool_removal', tool_name: 'ping' },
  ),
  ran('a list of tools of another server', { type: 'mcp_tool_listing', server_name: 'sea', tools: [{ name: 'tide' }] }),
  ran('another model stood in', { type: 'fallback', from: 'claude-opus-5', to: 'claude-sonnet-5' }),
];
