import assert from 'node:assert/strict';
import { test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { serveStub } from '../../../../test/support/stub-service.ts';
import { toasts } from '../../../ui/kit/toasts.ts';
import { session } from '../../../ui/shell/session/session.ts';
import type { Conversation, StreamEvent } from '../contract.ts';
import { chat, startChat } from './chat.ts';
import { type Answer, getPendingAnswer } from './thread.ts';

// Runs in a process of its own: what stands in for a browser's page are globals.

const { ask, askAgain, openConversation, showReport, startNew, stop, thread } = chat;
startChat();

const CONVERSATION = '0199a7c2-5c1e-7d3a-9b52-3f0c8e6d1a47';
const MESSAGE = '0199a7c2-5c1e-7d3a-9b52-3f0c8e6d1a48';
const usage = { counted: 10, input: 10, output: 2, calls: 1 };
const start: StreamEvent = { type: 'start', conversation_id: CONVERSATION, message_id: MESSAGE, model: 'm' };
const done: StreamEvent = { type: 'done', reason: 'complete', links: [], removed_links: 0, usage };
const ASK = 'POST /api/assistant/messages';

/** A stream that a test writes to. */
function openStream(): { response: Response; send: (...events: StreamEvent[]) => void; cut: () => void } {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
  return {
    response: new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    send: (...events) => {
      for (const event of events)
        controller?.enqueue(new TextEncoder().encode(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`));
    },
    cut: () => controller?.error(new TypeError('terminated')),
  };
}

const kept = (status: 'answering' | 'done', words: string): Conversation => ({
  ...{ id: CONVERSATION, title: 'What?', symbol: null, created_at: '', updated_at: '', deleted_at: '' },
  messages: [
    { role: 'member', id: CONVERSATION, text: 'What?', symbol: null, created_at: '' },
    {
      ...{ role: 'assistant', id: MESSAGE, status, parts: [{ type: 'text', text: words }], failure: null, links: [] },
      ...{ reason: status === 'done' ? 'complete' : null, removed_links: 0, usage, created_at: '' },
    },
  ],
});

const answer = (): Answer => {
  const last = thread.get().entries.findLast((entry) => entry.role === 'assistant');
  assert.ok(last);
  return last;
};
const textOf = ({ parts }: Answer): string => parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

test('an answer comes piece by piece, and the next question goes on with its conversation', async () => {
  startNew();
  const asked: unknown[] = [];
  let stream = openStream();
  await serveStub((call, body) => (call === ASK ? asked.push(body) && stream.response : undefined));
  const first = ask('What?', 'AAPL');
  stream.send(start, { type: 'text', text: 'One ' }, { type: 'text', text: 'two.' });
  await eventually(() => textOf(answer()) === 'One two.');
  assert.equal(answer().status, 'streaming');
  stream.send(done);
  await first;
  assert.equal(answer().status, 'done');
  stream = openStream();
  const second = ask('And now?');
  stream.send(start, done);
  await second;
  assert.deepEqual(asked, [
    { text: 'What?', symbol: 'AAPL' },
    { text: 'And now?', conversation_id: CONVERSATION },
  ]);
});

test('a cut stream is read again from the service until its answer has ended', { tags: ['slow'] }, async () => {
  startNew();
  const stream = openStream();
  const reads = [kept('answering', 'One two'), kept('done', 'One two three.')];
  const service = await serveStub((call) => (call === ASK ? stream.response : reads.shift()));
  const over = ask('What?');
  stream.send(start, { type: 'text', text: 'One' });
  await eventually(() => textOf(answer()) === 'One');
  stream.cut();
  await over;
  assert.equal(textOf(answer()), 'One two three.');
  assert.equal(answer().status, 'done');
  assert.equal(service.sent.filter((call) => call.startsWith('GET /api/assistant/conversations/')).length, 2);
});

test('a stream that ends before it began is a failure that can be tried again, with the same words', async () => {
  startNew();
  const asked: unknown[] = [];
  let stream = openStream();
  const service = await serveStub((call, body) => (call === ASK ? asked.push(body) && stream.response : undefined));
  const first = ask('What?', 'AAPL');
  stream.cut();
  await first;
  assert.equal(answer().failure?.retry, true);
  service.fault = 'answers 500';
  await askAgain(answer().id);
  assert.equal(answer().failure?.retry, true);
  service.fault = null;
  stream = openStream();
  const last = askAgain(answer().id);
  stream.send(start, done);
  await last;
  assert.equal(answer().status, 'done');
  assert.deepEqual(asked, [
    { text: 'What?', symbol: 'AAPL' },
    { text: 'What?', symbol: 'AAPL' },
  ]);
  assert.equal(thread.get().entries.length, 2);
});

test('a failed answer that the service knows is replaced by its next try', async () => {
  startNew();
  const asked: unknown[] = [];
  let stream = openStream();
  await serveStub((call, body) => (call === ASK ? asked.push(body) && stream.response : undefined));
  const first = ask('What?');
  stream.send(start, { type: 'error', code: 'OVERLOADED', message: 'Busy.', retry: true });
  await first;
  assert.deepEqual(answer().failure, { code: 'OVERLOADED', message: 'Busy.', retry: true });
  stream = openStream();
  const last = askAgain(answer().id);
  stream.send(start, done);
  await last;
  assert.deepEqual(asked[1], { text: 'What?', conversation_id: CONVERSATION, retry_of: MESSAGE });
});

test('the day’s limit is said in plain words, with its end and without another try', async () => {
  startNew();
  const refusal = { code: 'DAILY_LIMIT_REACHED', message: 'no', of: 'tokens', resets_at: '2026-11-24T00:00:00.000Z' };
  await serveStub(() => Response.json(refusal, { status: 429, headers: { 'retry-after': '23000' } }));
  await ask('What?');
  const { failure } = answer();
  assert.equal(failure?.retry, false);
  assert.match(
    failure.message,
    /^What is left of your tokens of today is too little .* again from .*; the plain reports/,
  );
});

test('a stop before the answer has begun is sent as soon as it has; one that fails says so', async () => {
  startNew();
  const stream = openStream();
  const service = await serveStub((call) => (call === ASK ? stream.response : undefined));
  const over = ask('What?');
  await stop();
  assert.equal(answer().stopping, true);
  const STOP = `POST /api/assistant/conversations/${CONVERSATION}/stop`;
  assert.ok(!service.sent.includes(STOP));
  stream.send(start);
  await eventually(() => service.sent.includes(STOP));
  stream.send({ ...done, reason: 'stopped' });
  await over;
  assert.equal(answer().reason, 'stopped');
  const second = openStream();
  service.fault = null;
  const going = serveStub((call) => (call === ASK ? second.response : Response.json({}, { status: 500 })));
  await going;
  const next = ask('And now?');
  second.send(start);
  await eventually(() => answer().status === 'streaming');
  await stop();
  assert.equal(answer().stopping, false);
  assert.match(toasts.get().at(-1)?.text ?? '', /could not be stopped/);
  second.send(done);
  await next;
});

test('a thread that is left takes nothing more of its answer', async () => {
  startNew();
  const stream = openStream();
  await serveStub((call) => (call === ASK ? stream.response : kept('done', 'Kept.')));
  const over = ask('What?');
  stream.send(start);
  await eventually(() => answer().status === 'streaming');
  startNew();
  stream.send({ type: 'text', text: 'late' }, done);
  await over;
  assert.deepEqual(thread.get(), { conversation: null, entries: [] });
  await openConversation(CONVERSATION);
  assert.equal(textOf(answer()), 'Kept.');
  assert.equal(getPendingAnswer(thread.get()), undefined);
});

test('a report that did not come is tried again in its place', async () => {
  startNew();
  const report = { kind: 'list_today', title: 'Your list today' };
  const service = await serveStub(() => report);
  service.fault = 'answers 500';
  const asked = { kind: 'list_today', symbol: null, title: 'My list today' } as const;
  await showReport(asked);
  const [entry] = thread.get().entries;
  assert.ok(entry?.role === 'report' && entry.error);
  service.fault = null;
  await showReport(asked, entry.id);
  assert.equal(thread.get().entries.length, 1);
  const [again] = thread.get().entries;
  assert.ok(again?.role === 'report');
  assert.deepEqual([again.report, again.error], [report, null]);
});

test('what one member asked is gone when they sign out', async () => {
  startNew();
  const stream = openStream();
  await serveStub((call) => (call === ASK ? stream.response : undefined));
  const over = ask('What?');
  stream.send(start, done);
  await over;
  assert.equal(thread.get().entries.length, 2);
  await session.signOut();
  assert.equal(thread.get().entries.length, 0);
});
