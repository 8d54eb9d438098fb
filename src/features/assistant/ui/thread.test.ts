import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { Conversation, Report, StreamEvent, ToolCall } from '../contract.ts';
import { spokenOf } from './spoken.ts';
import {
  allowedLinks,
  type Answer,
  emptyThread,
  threadReducer,
  type Thread,
  type ThreadEvent,
  getPendingAnswer,
} from './thread.ts';
import { callWords, isUsedUp, limitWords, usageWords } from './words.ts';

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
const ended: ToolCall = { ...running, status: 'ok', result: table };
const done: StreamEvent = { type: 'done', reason: 'complete', links: [NEWS], removed_links: 0, usage };
const text = (words: string): StreamEvent => ({ type: 'text', text: words });
const asked: ThreadEvent = { type: 'asked', id: 'here-1', text: 'What do I own?', symbol: null };

const came = (...events: StreamEvent[]): ThreadEvent[] => events.map((event) => ({ type: 'streamed', event }));
const after = (...events: ThreadEvent[]): Thread => events.reduce(threadReducer, emptyThread);
const answerOf = ({ entries }: Thread): Answer => {
  const last = entries.findLast((entry) => entry.role === 'assistant');
  assert.ok(last);
  return last;
};

test('an answer grows by its events, a look-up in the place where it began', () => {
  const thread = after(
    asked,
    ...came(start, text('You '), text('own '), { type: 'tool', call: running }, text('Apple'), {
      type: 'tool',
      call: ended,
    }),
  );
  assert.equal(thread.conversation, CONVERSATION);
  assert.equal(getPendingAnswer(thread)?.status, 'streaming');
  assert.deepEqual(answerOf(thread).parts, [
    { type: 'text', text: 'You own ' },
    { type: 'tool', call: ended },
    { type: 'text', text: 'Apple' },
  ]);
  const whole = threadReducer(thread, { type: 'streamed', event: done });
  assert.equal(getPendingAnswer(whole), undefined);
  assert.equal(answerOf(whole).usage, usage);
  assert.equal(
    threadReducer(whole, { type: 'streamed', event: text(' late') }),
    whole,
    'what comes after the end is dropped',
  );
});

test('an answer that is cut keeps what came of it, and no look-up stays under way', () => {
  const broken: StreamEvent = { type: 'error', code: 'OVERLOADED', message: 'Busy.', retry: true };
  const thread = after(asked, ...came(start, text('You own'), { type: 'tool', call: running }, broken));
  const { status, parts, failure } = answerOf(thread);
  assert.equal(status, 'failed');
  assert.deepEqual(failure, { code: 'OVERLOADED', message: 'Busy.', retry: true });
  assert.deepEqual(parts[0], { type: 'text', text: 'You own' });
  assert.ok(parts[1]?.type === 'tool' && parts[1].call.status === 'refused');
});

test('another try stands in the place of the answer that failed, under the same question', () => {
  const failed = after(asked, {
    type: 'failed',
    fault: { code: 'REFUSED', message: 'No.', retry: true },
  });
  const again = threadReducer(failed, { type: 'retried', id: 'here-2', answer: 'here-1' });
  assert.deepEqual(
    again.entries.map(({ role, id }) => [role, id]),
    [
      ['member', 'here-1?'],
      ['assistant', 'here-2'],
    ],
  );
  assert.equal(getPendingAnswer(again)?.status, 'requested');
});

test('what the service has kept takes the place of what came, also while the answer goes on there', () => {
  const question = { role: 'member', id: CONVERSATION, text: 'What do I own?', symbol: null, created_at: '' } as const;
  const kept = {
    ...{ role: 'assistant', id: MESSAGE, parts: [{ type: 'text', text: 'You own Apple.' }], links: [] },
    ...{ reason: null, failure: null, removed_links: 0, usage, created_at: '' },
  } as const;
  const conversation = (status: 'answering' | 'done'): Conversation => ({
    ...{ id: CONVERSATION, title: '', symbol: null, created_at: '', updated_at: '', deleted_at: '' },
    messages: [question, { ...(structuredClone(kept) as object), status } as Conversation['messages'][number]],
  });
  const cut = after(asked, ...came(start, text('You')), { type: 'stream_lost' });
  const going = threadReducer(cut, { type: 'loaded', conversation: conversation('answering') });
  assert.equal(getPendingAnswer(going)?.status, 'polling');
  assert.equal(spokenOf(going, false), 'Answering');
  const over = threadReducer(going, { type: 'loaded', conversation: conversation('done') });
  assert.equal(getPendingAnswer(over), undefined);
  assert.equal(spokenOf(over, false), 'Answer: You own Apple.', 'its end is said to who waited');
  const opened = threadReducer(emptyThread, { type: 'loaded', conversation: conversation('done') });
  assert.equal(spokenOf(opened, false), '', 'what is merely opened is not said');
});

test('links are those of tools: of the results as they come, and of the end', () => {
  const none = after(asked, ...came(start, text(NEWS.url)));
  assert.deepEqual([...allowedLinks(answerOf(none))], []);
  const some = after(asked, ...came(start, { type: 'tool', call: ended }));
  assert.deepEqual([...allowedLinks(answerOf(some))], [NEWS.url]);
  const script: StreamEvent = { ...done, links: [{ ...NEWS, url: 'javascript:alert(1)' }] };
  assert.deepEqual([...allowedLinks(answerOf(after(asked, ...came(start, script))))], []);
});

test('the text is said once, when it is whole: before, that it comes, and each look-up', () => {
  const said: string[] = [];
  let thread = after(asked);
  const hear = (): void => {
    const words = spokenOf(thread, false);
    if (words !== said.at(-1)) said.push(words);
  };
  hear();
  const table2 = '\n\n| Symbol | Day |\n|---|---|\n| AAPL | **+1%** |';
  for (const event of came(
    start,
    text('One '),
    text('two.'),
    { type: 'tool', call: running },
    { type: 'tool', call: ended },
    text(table2),
    done,
  )) {
    thread = threadReducer(thread, event);
    hear();
  }
  assert.deepEqual(said, ['Answering', 'Answering. Looked up: Your data', 'Answer: One two. Symbol AAPL, Day +1%.']);
  assert.equal(spokenOf(thread, true), 'Answer: One two. Symbol AAPL, Day hidden.');
});

test('a stop and a failure are said with what there is', () => {
  const stopped = after(asked, ...came(start, text('You own')), { type: 'stopping', on: true });
  assert.equal(spokenOf(stopped, false), 'Stopping');
  assert.equal(
    spokenOf(threadReducer(stopped, { type: 'streamed', event: { ...done, reason: 'stopped' } }), false),
    'Answer: You own You stopped this answer.',
  );
  const failed = after(asked, { type: 'failed', fault: { code: 'REFUSED', message: 'Not today.', retry: false } });
  assert.equal(spokenOf(failed, false), 'Not today.');
});

test('speaks the pending state, title and sentences of a report, without private figures in privacy mode', () => {
  const requested: ThreadEvent = {
    type: 'report_requested',
    id: 'report-1',
    kind: 'position',
    symbol: 'AAPL',
    title: 'Your position',
  };
  const pending = threadReducer(emptyThread, requested);
  assert.equal(spokenOf(pending, false), 'Making the report');
  const report: Report = {
    kind: 'position',
    symbol: 'AAPL',
    title: 'Your position',
    as_of: '2026-11-23T15:00:00.000Z',
    lines: [
      { text: 'You hold 12 shares.', private: true },
      { text: 'Apple rose 2%.', private: false },
    ],
    table: null,
    sources: [],
    incomplete: ['News could not be read.'],
    sample_data: false,
    with_model: null,
  };
  const complete = threadReducer(pending, { type: 'report_loaded', id: 'report-1', report });
  assert.equal(spokenOf(complete, false), 'Your position. You hold 12 shares. Apple rose 2%. News could not be read.');
  assert.equal(
    spokenOf(complete, true),
    'Your position. You hold hidden shares. Apple rose 2%. News could not be read.',
  );
});

test('look-ups, tokens and the day’s limit are told in plain words', () => {
  assert.equal(callWords(ended), '1 row');
  assert.equal(callWords({ ...running, status: 'ok', result: { ...table, truncated: true } }), 'the first 1 row');
  assert.equal(usageWords({ usage }), '1,228 tokens counted before sending in 2 calls, 40 written');
  const used = { used: { answers: 30, tokens: 5 }, limit: { answers: 30, tokens: 400_000 } };
  assert.ok(isUsedUp(used));
  assert.ok(!isUsedUp({ ...used, used: { answers: 29, tokens: 399_999 } }));
  const status = { ...used, resets_at: '2026-11-24T00:00:00.000Z' } as Parameters<typeof limitWords>[0];
  assert.match(limitWords(status), /^You have used all 30 answers of today\. You can ask again from /);
  assert.match(limitWords({ ...status, used: { answers: 3, tokens: 400_000 } }), /the tokens of today/);
});
