import assert from 'node:assert/strict';
import { test } from 'vitest';
import { z } from 'zod';
import { type Conversation, type Report, routes, streamEvent, type StreamEvent } from './contract.ts';

const id = '0199a7c2-5c1e-7d3a-9b52-3f0c8e6d1a47';
const call = { id: 'toolu_1', name: 'run_sql', title: 'Query your data', input: { sql: 'table holdings' } };
const usage = { counted: 1200, input: 1204, output: 80, calls: 2 };
const link = { url: 'https://example.com/a', title: 'Apple', source: 'Example', published_at: null };
const result = { columns: ['symbol'], rows: [['AAPL']], truncated: false, notes: [], links: [link] };

test('describes a stream as a start, texts and tool calls, usage, and one end', () => {
  const events: StreamEvent[] = [
    { type: 'start', conversation_id: id, message_id: id, model: 'claude-sonnet-5-5' },
    { type: 'tool', call: { ...call, status: 'running' } },
    { type: 'tool', call: { ...call, status: 'ok', result } },
    { type: 'tool', call: { ...call, status: 'refused', message: 'There is no table users.' } },
    { type: 'text', text: 'You hold ' },
    { type: 'usage', usage },
    { type: 'done', reason: 'complete', links: [link], removed_links: 0, usage },
    { type: 'error', code: 'OVERLOADED', message: 'Try again shortly.', retry: true },
  ];
  for (const event of events) assert.deepEqual(streamEvent.parse(event), event);
  assert.equal(streamEvent.safeParse({ type: 'tool', call: { ...call, status: 'ok' } }).success, false);
});

test('describes a stored conversation with the content of its stream', () => {
  const createdAt = '2026-11-23T15:00:00.000Z';
  const conversation: Conversation = {
    id,
    title: 'What do I hold?',
    symbol: null,
    created_at: createdAt,
    updated_at: createdAt,
    deleted_at: createdAt,
    messages: [
      { role: 'member', id, text: 'What do I hold?', symbol: null, created_at: createdAt },
      {
        role: 'assistant',
        id,
        status: 'done',
        reason: 'complete',
        failure: null,
        links: [],
        removed_links: 0,
        usage,
        created_at: createdAt,
        parts: [
          { type: 'tool', call: { ...call, status: 'ok', result } },
          { type: 'text', text: 'You hold 10 AAPL.' },
        ],
      },
    ],
  };
  assert.deepEqual(routes.getConversation.responses[200].parse(conversation), conversation);
});

test('marks the lines of a report that show the member’s own data', () => {
  const report: Report = {
    kind: 'position',
    title: 'Your position in AAPL',
    symbol: 'AAPL',
    as_of: '2026-11-23T15:00:00.000Z',
    lines: [{ text: 'You hold 10 AAPL.', private: true, amounts: ['10'] }],
    table: null,
    sources: [],
    incomplete: [],
    sample_data: false,
    with_model: null,
  };
  assert.deepEqual(routes.getReport.responses[200].parse(report), report);
});

test('accepts only questions of at most 2,000 characters without unknown fields', () => {
  const { body } = routes.ask;
  assert.deepEqual(body.parse({ text: '  What is new? ' }), { text: 'What is new?' });
  for (const invalidBody of [
    {},
    { text: ' ' },
    { text: 'x'.repeat(2001) },
    { text: 'a', model: 'x' },
    { text: 'a', symbol: '' },
  ])
    assert.equal(body.safeParse(invalidBody).success, false, JSON.stringify(z.json().parse(invalidBody)).slice(0, 60));
});
