import assert from 'node:assert/strict';
import { test } from 'vitest';
import { readTranscript, type Transcript } from './read-transcript.ts';

type Line = Record<string, unknown>;

const MODEL = 'claude-sonnet-4-5-20250929';

/** Creates a line of a person or of tool results. */
const user = (uuid: string, parentUuid: string | null, content: unknown, more: Line = {}): Line => ({
  type: 'user',
  uuid,
  parentUuid,
  isSidechain: false,
  message: { role: 'user', content },
  ...more,
});

/** Creates a line with one block of a response. */
const assistant = (uuid: string, parentUuid: string, block: unknown, id = `msg_${uuid}`, more: Line = {}): Line => ({
  type: 'assistant',
  uuid,
  parentUuid,
  isSidechain: false,
  message: { id, role: 'assistant', model: MODEL, content: [block] },
  ...more,
});

const text = (value: string): object => ({ type: 'text', text: value });
const call = (id: string): object => ({ type: 'tool_use', id, name: 'Read', input: {} });
const result = (id: string): object => ({ type: 'tool_result', tool_use_id: id, content: `of ${id}` });

const read = (lines: readonly (Line | string)[]): Transcript =>
  readTranscript(
    lines.map((line, index) => ({ number: index + 1, text: typeof line === 'string' ? line : JSON.stringify(line) })),
  );

/** Returns each message as its role and the texts, calls and results of its blocks. */
const summarize = ({ request }: Transcript): string[] =>
  request.messages.map(
    ({ role, content }) =>
      `${String(role)}: ${(content as Line[]).map((block) => String(block['text'] ?? block['id'] ?? block['tool_use_id'])).join(' ')}`,
  );

test('reads the last branch when the person went back to an earlier message', () => {
  const transcript = read([
    { type: 'summary', summary: 'Title', leafUuid: 'a2' },
    user('u1', null, 'one'),
    assistant('a1', 'u1', text('two')),
    user('u2', 'a1', 'dropped'),
    assistant('a2', 'u2', text('dropped as well')),
    user('u3', 'a1', 'three'),
    assistant('a3', 'u3', text('four \n')),
  ]);
  assert.deepEqual(summarize(transcript), ['user: one', 'assistant: two', 'user: three', 'assistant: four']);
  assert.equal(transcript.request.model, MODEL);
  assert.deepEqual(transcript.lineNumbers, [2, 3, 6, 7]);
  assert.deepEqual(transcript.leftOut, [
    { reason: 'summary', lines: [1] },
    { reason: 'other branches, repeated lines and lines without content', lines: [4, 5] },
  ]);
});

test('reads the whole response when parallel calls are saved as lines of their own', () => {
  const transcript = read([
    user('u1', null, 'read both'),
    assistant('a1', 'u1', text('Reading.'), 'msg'),
    assistant('a2', 'a1', call('t1'), 'msg'),
    assistant('a3', 'a2', call('t2'), 'msg'),
    user('r1', 'a2', [result('t1')], { toolUseResult: { file: 'ignored' } }),
    user('r2', 'a3', [result('t2')], { sourceToolAssistantUUID: 'a3' }),
    user('u2', 'r2', 'thanks'),
  ]);
  assert.deepEqual(summarize(transcript), ['user: read both', 'assistant: Reading. t1 t2', 'user: t1 t2 thanks']);
  assert.deepEqual(transcript.leftOut, []);
});

test('puts results before other content when a reminder precedes them', () => {
  const transcript = read([
    user('u1', null, 'read'),
    assistant('a1', 'u1', call('t1')),
    user('m1', 'a1', 'reminder', { isMeta: true }),
    user('r1', 'm1', [result('t1')]),
  ]);
  assert.deepEqual(summarize(transcript), ['user: read', 'assistant: t1', 'user: t1 reminder']);
});

test('begins with the summary when the conversation was compacted', () => {
  const transcript = read([
    user('u1', null, 'one'),
    assistant('a1', 'u1', text('two')),
    { type: 'system', subtype: 'compact_boundary', uuid: 'c', parentUuid: null, logicalParentUuid: 'a1' },
    user('s', 'c', 'summary', { isCompactSummary: true }),
    user('u2', 's', 'three'),
  ]);
  assert.deepEqual(summarize(transcript), ['user: summary three']);
  assert.deepEqual(transcript.leftOut, [
    { reason: 'before the last compaction', lines: [1, 2] },
    { reason: 'system (compact_boundary)', lines: [3] },
  ]);
});

test('keeps the messages that a compaction preserved', () => {
  const preservedMessages = { anchorUuid: 's', uuids: ['u2', 'a2'] };
  const transcript = read([
    user('u1', null, 'one'),
    user('u2', 'u1', 'kept'),
    {
      type: 'system',
      subtype: 'compact_boundary',
      uuid: 'c',
      parentUuid: null,
      compactMetadata: { preservedMessages },
    },
    user('s', 'c', 'summary'),
    assistant('a2', 's', text('kept answer')),
    user('u3', 'a2', 'next'),
  ]);
  assert.deepEqual(summarize(transcript), ['user: summary kept', 'assistant: kept answer', 'user: next']);
});

test('leaves out subagents, synthetic responses and lines of other types', () => {
  const transcript = read([
    { type: 'file-history-snapshot', messageId: 'm', snapshot: {} },
    user('u1', null, 'one'),
    { type: 'attachment', uuid: 'x', parentUuid: 'u1', attachment: {} },
    { ...assistant('e', 'x', text('API Error')), message: { model: '<synthetic>', content: [text('API Error')] } },
    user('side', null, 'task of a subagent', { isSidechain: true }),
    {
      type: 'system',
      subtype: 'local_command',
      uuid: 'l',
      parentUuid: 'e',
      content: '<command-name>/help</command-name>',
    },
    '{"type":"user","uu',
    assistant('a1', 'l', text('two')),
  ]);
  assert.deepEqual(summarize(transcript), ['user: one <command-name>/help</command-name>', 'assistant: two']);
  assert.deepEqual(
    transcript.leftOut.map(({ reason, lines }) => [reason, ...lines]),
    [
      ['not valid JSON', 7],
      ['file-history-snapshot', 1],
      ['subagents', 5],
      ['attachment', 3],
      ['messages that Claude Code wrote in place of a response', 4],
    ],
  );
});

test('reads the side chain when the file is the session of a subagent', () => {
  const side = { isSidechain: true };
  const transcript = read([user('u1', null, 'task', side), assistant('a1', 'u1', text('done'), 'm', side)]);
  assert.deepEqual(summarize(transcript), ['user: task', 'assistant: done']);
});

test('reads system prompt, tools and reminders when the file has a snapshot of them', () => {
  const attachment = (uuid: string, parentUuid: string, of: Line, more: Line = {}): Line => ({
    type: 'attachment',
    uuid,
    parentUuid,
    attachment: of,
    ...more,
  });
  const read1 = { name: 'Read', description: 'Reads.', input_schema: { type: 'object' } };
  const earlier = { type: 'prompt_snapshot', systemPrompt: ['old'], tools: [{ name: 'Read', schema: read1 }, {}] };
  const later = {
    type: 'prompt_snapshot',
    cliPrefix: 'You are a client.',
    systemPrompt: ['Be brief.', '__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__', 'Use tools.'],
  };
  const reminders = [{ content: 'Today is Monday.' }, { content: [text('Be kind.')] }, { content: ' ' }, {}];
  const transcript = read([
    user('u1', null, 'Hello'),
    attachment('p1', 'u1', earlier),
    attachment('r1', 'p1', { type: 'date' }, { renderedRole: 'system', rendered: reminders }),
    attachment('n1', 'r1', { type: 'credential_org' }),
    attachment('p2', 'n1', later, { rendered: [{ content: 'not twice' }] }),
    assistant('a1', 'p2', text('Hi.')),
  ]);
  assert.deepEqual(summarize(transcript), ['user: Hello Today is Monday. Be kind.', 'assistant: Hi.']);
  assert.equal(transcript.counted, 'snapshot');
  assert.deepEqual(transcript.request['system'], [text('You are a client.'), text('Be brief.\n\nUse tools.')]);
  assert.deepEqual(transcript.request['tools'], [read1]);
  assert.deepEqual(
    transcript.leftOut.map(({ reason, lines }) => [reason.slice(0, 9), lines]),
    [
      ['snapshots', [2, 5]],
      ['attachmen', [4]],
    ],
  );
  assert.equal(read([user('u1', null, 'Hello')]).counted, 'conversation');
});

test('drops calls without a result and results without a call', () => {
  const transcript = read([
    user('u1', null, [result('none'), text('one')]),
    assistant('a1', 'u1', call('t1')),
    user('u2', 'a1', 'interrupted'),
  ]);
  assert.deepEqual(summarize(transcript), ['user: one interrupted']);
  assert.deepEqual(transcript.leftOut, [{ reason: 'calls without a result or results without a call', lines: [1, 2] }]);
});

test('names the line whose predecessor is missing', () => {
  const broken = read([user('u1', null, 'one'), user('u2', 'lost', 'two')]);
  assert.deepEqual(summarize(broken), ['user: two']);
  assert.deepEqual(broken.leftOut, [{ reason: 'before line 2, whose predecessor is missing', lines: [1] }]);
  assert.deepEqual(summarize(read([user('u1', 'u2', 'one'), user('u2', 'u1', 'two')])), ['user: one two']);
});
