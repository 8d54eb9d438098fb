import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'vitest';
import { readRecordedRequest, type RecordedRequest } from './read-recorded-request.ts';

type Line = Record<string, unknown>;

/** The hash of a message, which is written with sorted keys and without white space. */
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const HELLO = hashOf('{"content":[{"text":"Hello","type":"text"}],"role":"user"}');
const REMINDER = 'reminder';

const SHAPE: Line = {
  type: 'api-request-shape',
  shapeHash: 'shape',
  shape: { system: [{ type: 'text', text: 'Be brief.' }], tools: [{ name: 'Read', input_schema: { type: 'object' } }] },
};
const REMINDER_BLOB: Line = {
  type: 'api-request-blob',
  hash: REMINDER,
  message: { role: 'user', content: '<system-reminder>Today is Monday.</system-reminder>' },
};

const user = (content: unknown): Line => ({ type: 'user', message: { role: 'user', content } });
const assistant = (id: string, block: unknown): Line => ({
  type: 'assistant',
  message: { id, role: 'assistant', model: 'claude-opus-5', content: [block] },
});
const request = (id: string, more: Line): Line => ({
  type: 'api-request',
  id,
  shapeHash: 'shape',
  params: { model: 'claude-opus-5', max_tokens: 32_000 },
  keep: 0,
  tail: [HELLO],
  ...more,
});

const read = (lines: readonly Line[]): RecordedRequest | undefined =>
  readRecordedRequest(lines.map((value, index) => ({ line: index + 1, value })));

test('puts the last request together from its base, blobs and lines of the conversation', () => {
  const call = { type: 'tool_use', id: 't1', name: 'Read', input: { path: 'a', 10: true, 9: null } };
  const response =
    '{"content":[{"text":"Reading.","type":"text"},' +
    '{"id":"t1","input":{"10":true,"9":null,"path":"a"},"name":"Read","type":"tool_use"}],"role":"assistant"}';
  const results = { type: 'tool_result', tool_use_id: 't1', content: 'of t1', cache_control: { type: 'ephemeral' } };
  const recorded = read([
    SHAPE,
    REMINDER_BLOB,
    user('Hello'),
    request('r1', { tail: [REMINDER, HELLO, 'not kept'] }),
    assistant('m1', { type: 'text', text: 'Reading.' }),
    { type: 'attachment', attachment: { type: 'date' } },
    assistant('m1', call),
    user([results]),
    request('r2', {
      base: 'r1',
      keep: 2,
      tail: [
        hashOf(response),
        hashOf('{"content":[{"content":"of t1","tool_use_id":"t1","type":"tool_result"}],"role":"user"}'),
      ],
      params: {
        model: 'claude-opus-5',
        thinking: { type: 'adaptive' },
        betas: ['a-beta'],
        safeguards: [],
        cache_control: { type: 'ephemeral', evict_on_complete: true },
      },
    }),
    request('r3', { agentId: 'agent', tail: ['of a subagent'] }),
    assistant('m2', { type: 'text', text: 'Done.' }),
  ]);
  assert.deepEqual(recorded, {
    line: 9,
    isCut: false,
    lineNumbers: [2, 3, 5, 8],
    body: {
      model: 'claude-opus-5',
      thinking: { type: 'adaptive' },
      betas: ['a-beta'],
      ...(SHAPE['shape'] as Line),
      messages: [
        REMINDER_BLOB['message'],
        { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'Reading.' }, call] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'of t1' }] },
      ],
    },
  });
});

test('takes the part of a turn that was sent when lines of a user follow one another', () => {
  const both = hashOf('{"content":[{"text":"Hello","type":"text"},{"text":"again","type":"text"}],"role":"user"}');
  const lines = [SHAPE, user('Hello'), user('again'), user('not sent')];
  assert.deepEqual(
    [HELLO, both].map((hash) => read([...lines, request('r', { tail: [hash] })])?.body.messages),
    [
      [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hello' },
            { type: 'text', text: 'again' },
          ],
        },
      ],
    ],
  );
});

test('counts the requests of a subagent in its own file', () => {
  const recorded = read([SHAPE, user('Hello'), request('r', { agentId: 'agent', cutRequestDigest: 'digest' })]);
  assert.equal(recorded?.isCut, true);
});

test('reads no request when a part of it is missing or later ones were not saved', () => {
  const sent = request('r', {});
  const reply = assistant('m1', { type: 'text', text: 'Hi.' });
  const whole = [SHAPE, user('Hello'), sent, reply];
  assert.notEqual(read(whole), undefined);
  const incomplete: Record<string, readonly Line[]> = {
    'no requests': [user('Hello'), reply],
    'no shape': [user('Hello'), sent],
    'no message': [SHAPE, user('Hello!'), sent],
    'no base': [SHAPE, user('Hello'), request('r', { base: 'lost', keep: 1 })],
    'a base that follows': [
      SHAPE,
      user('Hello'),
      request('r', { base: 'later', keep: 1 }),
      request('later', { agentId: 'a' }),
    ],
    'a base that is too short': [SHAPE, user('Hello'), sent, request('r2', { base: 'r', keep: 2 })],
    'no model': [SHAPE, user('Hello'), request('r', { params: {} })],
    'no references': [SHAPE, user('Hello'), request('r', { tail: undefined })],
    'a second response': [...whole, user('And now?'), assistant('m2', { type: 'text', text: 'Now.' })],
  };
  for (const [name, lines] of Object.entries(incomplete)) assert.equal(read(lines), undefined, name);
});
