// @module-tag alone
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { startStubService } from '../../../../test/support/stub-service.ts';
import { toasts } from '../../../ui/kit/toasts.ts';
import { session } from '../../../ui/shell/session/session.ts';
import type { Conversation, StreamEvent } from '../contract.ts';
import { chat, startChat } from './chat.ts';
import { type AnswerEntry, getPendingAnswer } from './thread.ts';

// Runs in a process of its own, because it replaces globals of the browser.

const { ask, askAgain: retryAnswer, openConversation, showReport, startNew, stop, thread } = chat;
startChat();

const CONVERSATION = '0199a7c2-5c1e-7d3a-9b52-3f0c8e6d1a47';
const MESSAGE = '0199a7c2-5c1e-7d3a-9b52-3f0c8e6d1a48';
const usage = { counted: 10, input: 10, output: 2, calls: 1 };
const start: StreamEvent = { type: 'start', conversation_id: CONVERSATION, message_id: MESSAGE, model: 'm' };
const done: StreamEvent = { type: 'done', reason: 'complete', links: [], removed_links: 0, usage };
const ASK = 'POST /api/assistant/messages';

/** Creates a stream that the test writes to. */
function openStream(): { response: Response; send: (...events: StreamEvent[]) => void; breakStream: () => void } {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (streamController) => {
      controller = streamController;
    },
  });
  return {
    response: new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    send: (...events) => {
      for (const event of events)
        controller?.enqueue(new TextEncoder().encode(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`));
    },
    breakStream: () => controller?.error(new TypeError('terminated')),
  };
}

const storedConversation = (status: 'answering' | 'done', text: string): Conversation => ({
  id: CONVERSATION,
  title: 'What?',
  symbol: null,
  created_at: '',
  updated_at: '',
  deleted_at: '',
  messages: [
    { role: 'member', id: CONVERSATION, text: 'What?', symbol: null, created_at: '' },
    {
      role: 'assistant',
      id: MESSAGE,
      status,
      parts: [{ type: 'text', text: text }],
      failure: null,
      links: [],
      reason: status === 'done' ? 'complete' : null,
      removed_links: 0,
      usage,
      created_at: '',
    },
  ],
});

const getLastAnswer = (): AnswerEntry => {
  const lastAnswer = thread.get().entries.findLast((entry) => entry.role === 'assistant');
  assert.ok(lastAnswer);
  return lastAnswer;
};
const getText = ({ parts }: AnswerEntry): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

test('streams an answer and continues its conversation with the next question', async () => {
  startNew();
  const requests: unknown[] = [];
  let stream = openStream();
  await startStubService((call, body) => (call === ASK ? requests.push(body) && stream.response : undefined));
  const firstAsk = ask('What?', 'AAPL');
  stream.send(start, { type: 'text', text: 'One ' }, { type: 'text', text: 'two.' });
  await eventually(() => getText(getLastAnswer()) === 'One two.');
  assert.equal(getLastAnswer().status, 'streaming');
  stream.send(done);
  await firstAsk;
  assert.equal(getLastAnswer().status, 'done');
  stream = openStream();
  const secondAsk = ask('And now?');
  stream.send(start, done);
  await secondAsk;
  assert.deepEqual(requests, [
    { text: 'What?', symbol: 'AAPL' },
    { text: 'And now?', conversation_id: CONVERSATION },
  ]);
});

test('polls the service until the answer ends when its stream is cut', { tags: ['slow'] }, async () => {
  startNew();
  const stream = openStream();
  const storedConversations = [
    storedConversation('answering', 'One two'),
    storedConversation('done', 'One two three.'),
  ];
  const service = await startStubService((call) => (call === ASK ? stream.response : storedConversations.shift()));
  const asking = ask('What?');
  stream.send(start, { type: 'text', text: 'One' });
  await eventually(() => getText(getLastAnswer()) === 'One');
  stream.breakStream();
  await asking;
  assert.equal(getText(getLastAnswer()), 'One two three.');
  assert.equal(getLastAnswer().status, 'done');
  assert.equal(service.requests.filter((call) => call.startsWith('GET /api/assistant/conversations/')).length, 2);
});

test('offers a retry of the question when its stream ends before it began', async () => {
  startNew();
  const requests: unknown[] = [];
  let stream = openStream();
  const service = await startStubService((call, body) =>
    call === ASK ? requests.push(body) && stream.response : undefined,
  );
  const firstAsk = ask('What?', 'AAPL');
  stream.breakStream();
  await firstAsk;
  assert.equal(getLastAnswer().failure?.retry, true);
  service.fault = 'answers 500';
  await retryAnswer(getLastAnswer().id);
  assert.equal(getLastAnswer().failure?.retry, true);
  service.fault = null;
  stream = openStream();
  const retrying = retryAnswer(getLastAnswer().id);
  stream.send(start, done);
  await retrying;
  assert.equal(getLastAnswer().status, 'done');
  assert.deepEqual(requests, [
    { text: 'What?', symbol: 'AAPL' },
    { text: 'What?', symbol: 'AAPL' },
  ]);
  assert.equal(thread.get().entries.length, 2);
});

test('replaces a stored failed answer with its retry', async () => {
  startNew();
  const requests: unknown[] = [];
  let stream = openStream();
  await startStubService((call, body) => (call === ASK ? requests.push(body) && stream.response : undefined));
  const firstAsk = ask('What?');
  stream.send(start, { type: 'error', code: 'OVERLOADED', message: 'Busy.', retry: true });
  await firstAsk;
  assert.deepEqual(getLastAnswer().failure, { code: 'OVERLOADED', message: 'Busy.', retry: true });
  stream = openStream();
  const retrying = retryAnswer(getLastAnswer().id);
  stream.send(start, done);
  await retrying;
  assert.deepEqual(requests[1], { text: 'What?', conversation_id: CONVERSATION, retry_of: MESSAGE });
});

test('shows the daily limit with its reset time and without a retry', async () => {
  startNew();
  const limitError = {
    code: 'DAILY_LIMIT_REACHED',
    message: 'no',
    of: 'tokens',
    resets_at: '2026-11-24T00:00:00.000Z',
  };
  await startStubService(() => Response.json(limitError, { status: 429, headers: { 'retry-after': '23000' } }));
  await ask('What?');
  const { failure } = getLastAnswer();
  assert.equal(failure?.retry, false);
  assert.match(failure.message, /^You do not have enough tokens left today .* again from .*; reports are still/);
});

test('sends an early stop when the answer begins and reports a failed stop', async () => {
  startNew();
  const stream = openStream();
  const service = await startStubService((call) => (call === ASK ? stream.response : undefined));
  const asking = ask('What?');
  await stop();
  assert.equal(getLastAnswer().isStopping, true);
  const STOP = `POST /api/assistant/conversations/${CONVERSATION}/stop`;
  assert.ok(!service.requests.includes(STOP));
  stream.send(start);
  await eventually(() => service.requests.includes(STOP));
  stream.send({ ...done, reason: 'stopped' });
  await asking;
  assert.equal(getLastAnswer().reason, 'stopped');
  const secondStream = openStream();
  service.fault = null;
  const delayedService = startStubService((call) =>
    call === ASK ? secondStream.response : Response.json({}, { status: 500 }),
  );
  await delayedService;
  const nextAsk = ask('And now?');
  secondStream.send(start);
  await eventually(() => getLastAnswer().status === 'streaming');
  await stop();
  assert.equal(getLastAnswer().isStopping, false);
  assert.match(toasts.get().at(-1)?.text ?? '', /Could not stop/);
  secondStream.send(done);
  await nextAsk;
});

test('ignores stream events after the thread is switched', async () => {
  startNew();
  const stream = openStream();
  await startStubService((call) => (call === ASK ? stream.response : storedConversation('done', 'Kept.')));
  const asking = ask('What?');
  stream.send(start);
  await eventually(() => getLastAnswer().status === 'streaming');
  startNew();
  stream.send({ type: 'text', text: 'late' }, done);
  await asking;
  assert.deepEqual(thread.get(), { conversation: null, entries: [] });
  await openConversation(CONVERSATION);
  assert.equal(getText(getLastAnswer()), 'Kept.');
  assert.equal(getPendingAnswer(thread.get()), undefined);
});

test('replaces a failed report with its retry', async () => {
  startNew();
  const report = { kind: 'list_today', title: 'Your list today' };
  const service = await startStubService(() => report);
  service.fault = 'answers 500';
  const reportRequest = { kind: 'list_today', symbol: null, title: 'My list today' } as const;
  await showReport(reportRequest);
  const [entry] = thread.get().entries;
  assert.ok(entry?.role === 'report' && entry.error);
  service.fault = null;
  await showReport(reportRequest, entry.id);
  assert.equal(thread.get().entries.length, 1);
  const [retried] = thread.get().entries;
  assert.ok(retried?.role === 'report');
  assert.deepEqual([retried.report, retried.error], [report, null]);
});

test('empties the thread when the member signs out', async () => {
  startNew();
  const stream = openStream();
  await startStubService((call) => (call === ASK ? stream.response : undefined));
  const asking = ask('What?');
  stream.send(start, done);
  await asking;
  assert.equal(thread.get().entries.length, 2);
  await session.signOut();
  assert.equal(thread.get().entries.length, 0);
});
