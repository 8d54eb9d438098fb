import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { Conversation, Report, StreamEvent, ToolCall } from '../contract.ts';
import { getAnnouncement } from './announcements.ts';
import {
  getAllowedLinks,
  type AnswerEntry,
  emptyThread,
  threadReducer,
  type Thread,
  type ThreadAction,
  getPendingAnswer,
} from './thread.ts';
import { formatCallStatus, hasUsedUpQuota, formatLimitReached, formatUsage } from './messages.ts';

const CONVERSATION = '0199a7c2-5c1e-7d3a-9b52-3f0c8e6d1a47';
const MESSAGE = '0199a7c2-5c1e-7d3a-9b52-3f0c8e6d1a48';
const NEWS = { url: 'https://news.example.com/a', title: 'Apple', source: 'Example', published_at: null };
const usage = { counted: 1_228, input: null, output: 40, calls: 2 };
const start: StreamEvent = { type: 'start', conversation_id: CONVERSATION, message_id: MESSAGE, model: 'm' };
const running: ToolCall = {
  id: 'c1',
  name: 'run_sql',
  title: 'Your data',
  input: { sql: 'table x' },
  status: 'running',
};
const table = { columns: ['symbol'], rows: [['AAPL']], truncated: false, notes: [], links: [NEWS] };
const finished: ToolCall = { ...running, status: 'ok', result: table };
const done: StreamEvent = { type: 'done', reason: 'complete', links: [NEWS], removed_links: 0, usage };
const createTextEvent = (content: string): StreamEvent => ({ type: 'text', text: content });
const askedEvent: ThreadAction = { type: 'asked', id: 'here-1', text: 'What do I own?', symbol: null };

const toStreamedEvents = (...events: StreamEvent[]): ThreadAction[] =>
  events.map((event) => ({ type: 'streamed', event }));
const reduceEvents = (...events: ThreadAction[]): Thread => events.reduce(threadReducer, emptyThread);
const getLastAnswer = ({ entries }: Thread): AnswerEntry => {
  const lastAnswer = entries.findLast((entry) => entry.role === 'assistant');
  assert.ok(lastAnswer);
  return lastAnswer;
};

test('grows an answer by its events and keeps a look-up at its place', () => {
  const thread = reduceEvents(
    askedEvent,
    ...toStreamedEvents(
      start,
      createTextEvent('You '),
      createTextEvent('own '),
      { type: 'tool', call: running },
      createTextEvent('Apple'),
      {
        type: 'tool',
        call: finished,
      },
    ),
  );
  assert.equal(thread.conversation, CONVERSATION);
  assert.equal(getPendingAnswer(thread)?.status, 'streaming');
  assert.deepEqual(getLastAnswer(thread).parts, [
    { type: 'text', text: 'You own ' },
    { type: 'tool', call: finished },
    { type: 'text', text: 'Apple' },
  ]);
  const completed = threadReducer(thread, { type: 'streamed', event: done });
  assert.equal(getPendingAnswer(completed), undefined);
  assert.equal(getLastAnswer(completed).usage, usage);
  assert.equal(
    threadReducer(completed, { type: 'streamed', event: createTextEvent(' late') }),
    completed,
    'what comes after the end is dropped',
  );
});

test('keeps the received text and ends look-ups when an answer is cut', () => {
  const errorEvent: StreamEvent = { type: 'error', code: 'OVERLOADED', message: 'Busy.', retry: true };
  const thread = reduceEvents(
    askedEvent,
    ...toStreamedEvents(start, createTextEvent('You own'), { type: 'tool', call: running }, errorEvent),
  );
  const { status, parts, failure } = getLastAnswer(thread);
  assert.equal(status, 'failed');
  assert.deepEqual(failure, { code: 'OVERLOADED', message: 'Busy.', retry: true });
  assert.deepEqual(parts[0], { type: 'text', text: 'You own' });
  assert.ok(parts[1]?.type === 'tool' && parts[1].call.status === 'refused');
});

test('replaces a failed answer with its retry under the same question', () => {
  const failed = reduceEvents(askedEvent, {
    type: 'failed',
    error: { code: 'REJECTED', message: 'No.', retry: true },
  });
  const retried = threadReducer(failed, { type: 'retried', id: 'here-2', answer: 'here-1' });
  assert.deepEqual(
    retried.entries.map(({ role, id }) => [role, id]),
    [
      ['member', 'here-1?'],
      ['assistant', 'here-2'],
    ],
  );
  assert.equal(getPendingAnswer(retried)?.status, 'requested');
});

test('replaces the received state with the stored one, also while pending', () => {
  const question = { role: 'member', id: CONVERSATION, text: 'What do I own?', symbol: null, created_at: '' } as const;
  const storedAnswer = {
    role: 'assistant',
    id: MESSAGE,
    parts: [{ type: 'text', text: 'You own Apple.' }],
    links: [],
    reason: null,
    failure: null,
    removed_links: 0,
    usage,
    created_at: '',
  } as const;
  const createConversation = (status: 'answering' | 'done'): Conversation => ({
    id: CONVERSATION,
    title: '',
    symbol: null,
    created_at: '',
    updated_at: '',
    deleted_at: '',
    messages: [question, { ...(structuredClone(storedAnswer) as object), status } as Conversation['messages'][number]],
  });
  const lostStream = reduceEvents(askedEvent, ...toStreamedEvents(start, createTextEvent('You')), {
    type: 'stream_lost',
  });
  const polling = threadReducer(lostStream, { type: 'loaded', conversation: createConversation('answering') });
  assert.equal(getPendingAnswer(polling)?.status, 'polling');
  assert.equal(getAnnouncement(polling, false), 'Answering');
  const loaded = threadReducer(polling, { type: 'loaded', conversation: createConversation('done') });
  assert.equal(getPendingAnswer(loaded), undefined);
  assert.equal(getAnnouncement(loaded, false), 'Answer: You own Apple.', 'announces the end to a member who waited');
  const opened = threadReducer(emptyThread, { type: 'loaded', conversation: createConversation('done') });
  assert.equal(getAnnouncement(opened, false), '', 'announces no conversation that was only opened');
});

test('links only to pages of tool results', () => {
  const withoutLinks = reduceEvents(askedEvent, ...toStreamedEvents(start, createTextEvent(NEWS.url)));
  assert.deepEqual([...getAllowedLinks(getLastAnswer(withoutLinks))], []);
  const withLink = reduceEvents(askedEvent, ...toStreamedEvents(start, { type: 'tool', call: finished }));
  assert.deepEqual([...getAllowedLinks(getLastAnswer(withLink))], [NEWS.url]);
  const scriptLink: StreamEvent = { ...done, links: [{ ...NEWS, url: 'javascript:alert(1)' }] };
  assert.deepEqual(
    [...getAllowedLinks(getLastAnswer(reduceEvents(askedEvent, ...toStreamedEvents(start, scriptLink))))],
    [],
  );
});

test('announces the start, each look-up and the complete text once', () => {
  const announcements: string[] = [];
  let thread = reduceEvents(askedEvent);
  const recordAnnouncement = (): void => {
    const announcement = getAnnouncement(thread, false);
    if (announcement !== announcements.at(-1)) announcements.push(announcement);
  };
  recordAnnouncement();
  const table2 = '\n\n| Symbol | Day |\n|---|---|\n| AAPL | **+1%** |';
  for (const event of toStreamedEvents(
    start,
    createTextEvent('One '),
    createTextEvent('two.'),
    { type: 'tool', call: running },
    { type: 'tool', call: finished },
    createTextEvent(table2),
    done,
  )) {
    thread = threadReducer(thread, event);
    recordAnnouncement();
  }
  assert.deepEqual(announcements, [
    'Answering',
    'Answering. Looked up: Your data',
    'Answer: One two. Symbol AAPL, Day +1%.',
  ]);
  assert.equal(getAnnouncement(thread, true), 'Answer: One two. Symbol AAPL, Day hidden.');
});

test('announces the partial answer when it is stopped or fails', () => {
  const stopped = reduceEvents(askedEvent, ...toStreamedEvents(start, createTextEvent('You own')), {
    type: 'stopping',
    isStopping: true,
  });
  assert.equal(getAnnouncement(stopped, false), 'Stopping');
  assert.equal(
    getAnnouncement(threadReducer(stopped, { type: 'streamed', event: { ...done, reason: 'stopped' } }), false),
    'Answer: You own You stopped this answer.',
  );
  const failed = reduceEvents(askedEvent, {
    type: 'failed',
    error: { code: 'REJECTED', message: 'Not today.', retry: false },
  });
  assert.equal(getAnnouncement(failed, false), 'Not today.');
});

test('announces the state, title and sentences of a report without private figures', () => {
  const requested: ThreadAction = {
    type: 'report_requested',
    id: 'report-1',
    kind: 'position',
    symbol: 'AAPL',
    title: 'Your position',
  };
  const pending = threadReducer(emptyThread, requested);
  assert.equal(getAnnouncement(pending, false), 'Creating report…');
  const report: Report = {
    kind: 'position',
    symbol: 'AAPL',
    title: 'Your position',
    as_of: '2026-11-23T15:00:00.000Z',
    lines: [
      { text: 'You hold 12 shares, +5% since Nov 2, 2026.', private: true, amounts: ['12'] },
      { text: 'Apple rose 2%.', private: false, amounts: [] },
    ],
    table: null,
    sources: [],
    incomplete: ['News could not be read.'],
    sample_data: false,
    with_model: null,
  };
  const complete = threadReducer(pending, { type: 'report_loaded', id: 'report-1', report });
  assert.equal(
    getAnnouncement(complete, false),
    'Your position. You hold 12 shares, +5% since Nov 2, 2026. Apple rose 2%. News could not be read.',
  );
  assert.equal(
    getAnnouncement(complete, true),
    'Your position. You hold hidden shares, +5% since Nov 2, 2026. Apple rose 2%. News could not be read.',
  );
});

test('describes look-ups, tokens and the daily limit in plain words', () => {
  assert.equal(formatCallStatus(finished), '1 row');
  assert.equal(
    formatCallStatus({ ...running, status: 'ok', result: { ...table, truncated: true } }),
    'the first 1 row',
  );
  assert.equal(formatUsage({ usage }), '1,228 tokens counted before sending in 2 calls, 40 written');
  const usedUpQuota = { used: { answers: 30, tokens: 5 }, limit: { answers: 30, tokens: 400_000 } };
  assert.ok(hasUsedUpQuota(usedUpQuota));
  assert.ok(!hasUsedUpQuota({ ...usedUpQuota, used: { answers: 29, tokens: 399_999 } }));
  const status = { ...usedUpQuota, resets_at: '2026-11-24T00:00:00.000Z' } as Parameters<typeof formatLimitReached>[0];
  assert.match(formatLimitReached(status), /^You have used all 30 answers for today\. You can ask again from /);
  assert.match(formatLimitReached({ ...status, used: { answers: 3, tokens: 400_000 } }), /today’s tokens/);
});
