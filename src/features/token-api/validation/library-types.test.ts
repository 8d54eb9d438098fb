/**
 * Walks the count parameters of the official client library, stable and beta. Fails for a field that the endpoint
 * neither accepts nor lists as rejected, and for a name that docs/reference/counting.md lacks.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'vitest';
import { CLIENT_MODULES, ClientTypes, type Sample } from '../../../../test/support/client-types.ts';
import { formatProblem } from './problem.ts';
import { checkRequestShape } from './request-shape.ts';

const root = new URL('../../../../', import.meta.url);
const client = new ClientTypes(new URL('node_modules/@anthropic-ai/sdk/', root));

/** Parameters that the client sends as headers. */
const HEADER_PARAMETERS = ['betas', 'user_profile_id', 'workspace_id'];

/** Fields that the endpoint rejects, with the reason. */
const REJECTED: readonly { reason: string; problem: RegExp }[] = [
  { reason: 'the service stores no files', problem: /\.source: File sources are not supported/ },
  { reason: 'the tools of an MCP server are known only to that server', problem: /^mcp_servers: must be empty/ },
  { reason: 'the tools of an MCP server are known only to that server', problem: /^tools\.0\.type: tools of MCP/ },
];

interface MessageValue {
  content?: string | { type: string }[];
}

function listContentTypes({ content }: MessageValue): string[] {
  return Array.isArray(content) ? content.map(({ type }) => type) : [];
}

function isHeader({ field }: Sample): boolean {
  return HEADER_PARAMETERS.some((name) => field === `MessageCountTokensParams.${name}`);
}

describe.each(CLIENT_MODULES)('count parameters of %s', (module) => {
  const problems = client
    .listSamples(module, 'MessageCountTokensParams')
    .filter((sample) => !isHeader(sample))
    .flatMap(({ field, value }) => {
      const problem = checkRequestShape(value);
      return problem === undefined ? [] : [{ field, text: formatProblem(problem) }];
    });

  test('accepts each field of the client unless the list of rejected fields has it', () => {
    const unlisted = problems.filter(({ text }) => !REJECTED.some((row) => row.problem.test(text)));

    assert.deepEqual(unlisted, []);
  });

  test('derives a value for each content block of the client', () => {
    const messages = client.listSamples(module, 'MessageCountTokensParams', 'messages');
    const contentTypes = new Set(messages.flatMap(({ value }) => (value as MessageValue[]).flatMap(listContentTypes)));
    const blockTypes = client.listTypeNames(
      module,
      module === 'messages' ? 'ContentBlockParam' : 'BetaContentBlockParam',
    );

    assert.ok(blockTypes.length > 10);
    for (const type of blockTypes) assert.ok(contentTypes.has(type), type);
  });
});

test('rejects a field of the client for each row of the list', () => {
  const texts = CLIENT_MODULES.flatMap((module) =>
    client.listSamples(module, 'MessageCountTokensParams').flatMap(({ value }) => {
      const problem = checkRequestShape(value);
      return problem === undefined ? [] : [formatProblem(problem)];
    }),
  );

  for (const { problem } of REJECTED)
    assert.ok(
      texts.some((text) => problem.test(text)),
      String(problem),
    );
});

const KINDS: readonly [kind: string, names: readonly string[]][] = [
  ['field', CLIENT_MODULES.flatMap((module) => client.listFields(module, 'MessageCountTokensParams'))],
  ['content block', listNames('ContentBlockParam')],
  ['part of a result', listNames('ToolResultBlockParam', 'content')],
  [
    'tool',
    [
      'custom',
      ...CLIENT_MODULES.flatMap((module) => client.listTypeNames(module, 'MessageCountTokensParams', 'tools')),
    ],
  ],
  ['tool choice', listNames('ToolChoice')],
  ['thinking', listNames('ThinkingConfigParam')],
  ['image source', listNames('ImageBlockParam', 'source')],
  [
    'document source',
    [
      ...client.listTypeNames('messages', 'DocumentBlockParam', 'source'),
      ...client.listTypeNames('beta/messages', 'BetaRequestDocumentBlock', 'source'),
    ],
  ],
  ['context edit', client.listTypeNames('beta/messages', 'BetaContextManagementConfig', 'edits')],
];

/** Returns the type names of a stable type and its beta variant. */
function listNames(name: string, field?: string): string[] {
  return [
    ...client.listTypeNames('messages', name, field),
    ...client.listTypeNames('beta/messages', `Beta${name}`, field),
  ];
}

test.each(KINDS)('docs/reference/counting.md names each %s of the client', (kind, names) => {
  const page = readFileSync(new URL('docs/reference/counting.md', root), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith(`| ${kind} |`));
  const documented = rows.flatMap((row) =>
    [...(row.split('|')[2] ?? '').matchAll(/`(\w+)`/g)].map((match) => match[1]),
  );

  assert.ok(names.length > 2);
  assert.deepEqual(documented.toSorted(), [...new Set(names)].toSorted());
});
