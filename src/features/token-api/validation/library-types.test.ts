/**
 * Compares every name in the count parameters of the official client library, stable and beta, with the endpoint's
 * decision. Fails if the library has new names or docs/reference/counting.md lacks a row.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import { formatProblem } from './problem.ts';
import { validateRequest } from './validate-request.ts';

const root = new URL('../../../../', import.meta.url);
const library = (path: string): string =>
  readFileSync(new URL(`node_modules/@anthropic-ai/sdk/resources/${path}/messages.d.ts`, root), 'utf8');
const sources = [library('messages'), library('beta/messages')];

/** Returns the members of a union type, or the single type name. */
function members(source: string, name: string): string[] {
  const union = new RegExp(`^export type ${name} = ([^;{]+);`, 'm').exec(source)?.[1];
  return union === undefined
    ? [name]
    : union.split('|').flatMap((one) => members(source, one.trim().split('.').at(-1) ?? ''));
}

/** Returns the values of `type` in the members of a union. */
function listBlockTypes(union: string): string[] {
  return sources.flatMap((source) =>
    [union, `Beta${union}`].flatMap((name) => {
      if (!new RegExp(`^export (?:type|interface) ${name}\\b`, 'm').test(source)) return [];
      return members(source, name).flatMap((member) => {
        const body = new RegExp(`^export interface ${member} \\{\\n([\\s\\S]*?)\\n\\}`, 'm').exec(source)?.[1] ?? '';
        const type = /^ {4}type\??: ([^;]+);/m.exec(body)?.[1] ?? '';
        return [...type.matchAll(/'([^']+)'/g)].map((match) => match[1] ?? '');
      });
    }),
  );
}

/** Returns the fields of the count parameters. */
function listFields(name: string): string[] {
  return sources.flatMap((source) => {
    const body = new RegExp(`^export interface ${name} \\{\\n([\\s\\S]*?)\\n\\}`, 'm').exec(source)?.[1] ?? '';
    return [...body.matchAll(/^ {4}(\w+)\??:/gm)].map((match) => match[1] ?? '');
  });
}

const distinct = (names: readonly string[]): string[] => [...new Set(names)].toSorted();
const text = { type: 'text', text: 'x' };
const call = { type: 'tool_use', id: 'a', name: 'look', input: {} };
const answer = { type: 'tool_result', tool_use_id: 'a', content: 'x' };
const tool = { name: 'look', input_schema: { type: 'object' } };
const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' };
const user = (...content: object[]): object => ({ role: 'user', content });
const assistant = (...content: object[]): object => ({ role: 'assistant', content });
const createRequest = (more: object): object => ({ model: 'claude-opus-5', messages: [user(text)], ...more });
const createConversation = (...messages: object[]): object => createRequest({ messages });
const after = (...blocks: object[]): object => createConversation(user(text), assistant(...blocks), user(text));
const serverCall = (name: string): object => ({ type: 'server_tool_use', id: 'srvtoolu_1', name, input: {} });
const serverResult = (name: string, content: unknown): object => ({
  type: `${name}_tool_result`,
  tool_use_id: 'srvtoolu_1',
  content,
});
const inResult = (block: object): object =>
  createRequest({ tools: [tool], messages: [user(text), assistant(call), user({ ...answer, content: [block] })] });
const source = (type: string, of: object): object => createConversation(user({ type, source: of }));
const typed = (type: string): object => createRequest({ tools: [{ type, name: 'look' }] });

const ACCEPTED = 'accepted';
type Rows = Record<string, readonly [body: object, answer: string | RegExp]>;

const FIELDS: Rows = {
  messages: [createRequest({}), ACCEPTED],
  model: [createRequest({}), ACCEPTED],
  system: [createRequest({ system: [text] }), ACCEPTED],
  tools: [createRequest({ tools: [tool] }), ACCEPTED],
  tool_choice: [createRequest({ tools: [tool], tool_choice: { type: 'auto' } }), ACCEPTED],
  thinking: [createRequest({ thinking: { type: 'adaptive' } }), ACCEPTED],
  cache_control: [createRequest({ cache_control: { type: 'ephemeral', ttl: '1h' } }), ACCEPTED],
  output_config: [
    createRequest({ output_config: { effort: 'max', task_budget: { type: 'tokens', total: 1 } } }),
    ACCEPTED,
  ],
  output_format: [createRequest({ output_format: { type: 'json_schema', schema: {} } }), ACCEPTED],
  speed: [createRequest({ speed: 'fast' }), ACCEPTED],
  context_management: [createRequest({ context_management: { edits: [] } }), ACCEPTED],
  compaction: [createRequest({ compaction: { type: 'summarize' } }), ACCEPTED],
  billing_policy: [createRequest({ billing_policy: { type: 'billing_policy' } }), ACCEPTED],
  mcp_servers: [
    createRequest({ mcp_servers: [{ type: 'url', name: 'a', url: 'https://example.com' }] }),
    /must be empty/,
  ],
  // These three parameters are sent as headers.
  betas: [createRequest({}), ACCEPTED],
  user_profile_id: [createRequest({}), ACCEPTED],
  workspace_id: [createRequest({}), ACCEPTED],
};

const BLOCKS: Rows = {
  text: [createConversation(user(text)), ACCEPTED],
  image: [source('image', { type: 'base64', media_type: 'image/png', data: 'eA==' }), ACCEPTED],
  document: [source('document', pdf), ACCEPTED],
  search_result: [
    createConversation(user({ type: 'search_result', title: 'x', source: 'y', content: [text] })),
    ACCEPTED,
  ],
  thinking: [after({ type: 'thinking', thinking: 'x', signature: 'y' }), ACCEPTED],
  redacted_thinking: [after({ type: 'redacted_thinking', data: 'x' }), ACCEPTED],
  tool_use: [createRequest({ tools: [tool], messages: [user(text), assistant(call), user(answer)] }), ACCEPTED],
  tool_result: [createRequest({ tools: [tool], messages: [user(text), assistant(call), user(answer)] }), ACCEPTED],
  container_upload: [createConversation(user({ type: 'container_upload', file_id: 'f' })), ACCEPTED],
  mcp_tool_use: [after({ type: 'mcp_tool_use', id: 'm', name: 'n', server_name: 's', input: {} }), ACCEPTED],
  mcp_tool_result: [createConversation(user({ type: 'mcp_tool_result', tool_use_id: 'm', content: 'x' })), ACCEPTED],
  server_tool_use: [after(serverCall('web_search'), serverResult('web_search', [])), ACCEPTED],
  web_search_tool_result: [after(serverCall('web_search'), serverResult('web_search', [])), ACCEPTED],
};
for (const type of ['compaction', 'tool_addition', 'tool_removal', 'mcp_tool_listing', 'fallback'])
  BLOCKS[type] = [after({ type }), ACCEPTED];
for (const name of ['web_fetch', 'code_execution', 'bash_code_execution', 'text_editor_code_execution', 'advisor'])
  BLOCKS[`${name}_tool_result`] = [after(serverCall(name), serverResult(name, {})), ACCEPTED];
BLOCKS['tool_search_tool_result'] = [
  after(serverCall('tool_search_tool_regex'), serverResult('tool_search', {})),
  ACCEPTED,
];

const RESULT_PARTS: Rows = {
  text: [inResult(text), ACCEPTED],
  image: [inResult({ type: 'image', source: { type: 'url', url: 'https://example.com/x.png' } }), ACCEPTED],
  document: [inResult({ type: 'document', source: pdf }), ACCEPTED],
  search_result: [inResult({ type: 'search_result', title: 'x', source: 'y', content: [text] }), ACCEPTED],
  tool_reference: [inResult({ type: 'tool_reference', tool_name: 'look' }), ACCEPTED],
  browser_state: [inResult({ type: 'browser_state', tabs: [] }), ACCEPTED],
};

const TOOLS: Rows = {
  custom: [createRequest({ tools: [{ ...tool, type: 'custom' }] }), ACCEPTED],
  mcp_toolset: [createRequest({ tools: [{ type: 'mcp_toolset', mcp_server_name: 'a' }] }), /cannot be counted/],
};
for (const type of distinct(listBlockTypes('ToolUnion'))) TOOLS[type] ??= [typed(type), ACCEPTED];

const CHOICES: Rows = {
  auto: [createRequest({ tools: [tool], tool_choice: { type: 'auto', disable_parallel_tool_use: true } }), ACCEPTED],
  any: [createRequest({ tools: [tool], tool_choice: { type: 'any' } }), ACCEPTED],
  tool: [createRequest({ tools: [tool], tool_choice: { type: 'tool', name: 'look' } }), ACCEPTED],
  none: [createRequest({ tools: [tool], tool_choice: { type: 'none' } }), ACCEPTED],
};

const THINKING: Rows = {
  enabled: [createRequest({ thinking: { type: 'enabled', budget_tokens: 1024 } }), ACCEPTED],
  disabled: [createRequest({ thinking: { type: 'disabled' } }), ACCEPTED],
  adaptive: [createRequest({ thinking: { type: 'adaptive', display: 'omitted' } }), ACCEPTED],
  between_tools: [createRequest({ thinking: { type: 'between_tools' } }), ACCEPTED],
};

const FILE_REJECTED = /source/;
const IMAGE_SOURCES: Rows = {
  base64: BLOCKS['image'] as Rows[string],
  url: [source('image', { type: 'url', url: 'https://example.com/x.png' }), ACCEPTED],
  file: [source('image', { type: 'file', file_id: 'f' }), FILE_REJECTED],
};
const DOCUMENT_SOURCES: Rows = {
  base64: [source('document', pdf), ACCEPTED],
  text: [source('document', { type: 'text', media_type: 'text/plain', data: 'x' }), ACCEPTED],
  content: [source('document', { type: 'content', content: [text] }), ACCEPTED],
  url: [source('document', { type: 'url', url: 'https://example.com/x.pdf' }), ACCEPTED],
  file: [source('document', { type: 'file', file_id: 'f' }), FILE_REJECTED],
};

const EDITS: Rows = {};
for (const type of ['clear_tool_uses_20250919', 'clear_thinking_20251015', 'compact_20260112'])
  EDITS[type] = [createRequest({ context_management: { edits: [{ type }] } }), ACCEPTED];

/** Returns the values of `type` that a member of an interface may have. */
function memberTypes(name: string, field: string): string[] {
  return sources.flatMap((from) => {
    const body = new RegExp(`^export interface ${name} \\{\\n([\\s\\S]*?)\\n\\}`, 'm').exec(from)?.[1] ?? '';
    const union = new RegExp(`^ {4}${field}\\??: (?:string \\| )?(?:Array<)?([^;>]+)`, 'm').exec(body)?.[1] ?? '';
    return union
      .split('|')
      .map((one) => one.trim().split('.').at(-1) ?? '')
      .flatMap((one) => listBlockTypes(one.replace(/^Beta/, '')));
  });
}

const TABLES: readonly [title: string, rows: Rows, named: readonly string[]][] = [
  ['field', FIELDS, listFields('MessageCountTokensParams')],
  ['content block', BLOCKS, listBlockTypes('ContentBlockParam')],
  ['part of a result', RESULT_PARTS, memberTypes('BetaToolResultBlockParam', 'content')],
  ['tool', TOOLS, ['custom', ...listBlockTypes('ToolUnion')]],
  ['tool choice', CHOICES, listBlockTypes('ToolChoice')],
  ['thinking', THINKING, listBlockTypes('ThinkingConfigParam')],
  ['image source', IMAGE_SOURCES, memberTypes('BetaImageBlockParam', 'source')],
  ['document source', DOCUMENT_SOURCES, memberTypes('BetaRequestDocumentBlock', 'source')],
  ['context edit', EDITS, memberTypes('BetaContextManagementConfig', 'edits')],
];

const page = readFileSync(new URL('docs/reference/counting.md', root), 'utf8');

for (const [title, rows, named] of TABLES) {
  test(`${title}: has a decision and a documentation row for every name of the library`, () => {
    for (const [name, [body, expected]] of Object.entries(rows)) {
      const problem = validateRequest(body, '2023-06-01');
      const problemText = problem ? formatProblem(problem) : ACCEPTED;
      if (typeof expected === 'string') assert.equal(problemText, expected, `${title} ${name}`);
      else assert.match(problemText, expected, `${title} ${name}`);
      const row = new RegExp(
        `^\\| ${title} \\|.*\`${name}\`.*\\| ${expected === ACCEPTED ? ACCEPTED : 'rejected'}`,
        'm',
      );
      assert.match(page, row, `docs/reference/counting.md lacks ${title} ${name}`);
    }
    assert.ok(named.length > 2, `the library's names were not found: ${named.join(', ')}`);
    assert.deepEqual(distinct(named), distinct(Object.keys(rows)));
  });
}
