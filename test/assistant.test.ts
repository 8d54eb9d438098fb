import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import {
  type AssistantService,
  type SignedInMember,
  startAssistantService,
  getText,
} from './support/assistant-service.ts';
import { eventually } from './support/eventually.ts';

let service: AssistantService;
let ada: SignedInMember;
let bob: SignedInMember;
beforeAll(async () => {
  service = await startAssistantService({ ASSISTANT_DAILY_ANSWERS: '200', ASSISTANT_DAILY_TOKENS: '9000000' });
  ada = await service.signIn(0);
  bob = await service.signIn(1);
});
afterAll(() => service.stop());

const askAndRead = async (text: string, extra: object = {}) => {
  const stream = await ada.ask(text, extra);
  assert.equal(stream.status, 200, JSON.stringify(stream.errorBody));
  return stream.readRest();
};
const getLastEvent = (found: Awaited<ReturnType<typeof askAndRead>>) => found.at(-1)!;
const getConversationId = (found: Awaited<ReturnType<typeof askAndRead>>): string =>
  found[0]?.type === 'start' ? found[0].conversation_id : assert.fail('no start');
const read = async (id: string, who = ada) => (await who.call('GET', `/api/assistant/conversations/${id}`)).body;

test('streams an answer to its end and returns the stored answer unchanged', async () => {
  const stream = await ada.ask('What do I hold?');
  assert.match(stream.headers.get('content-type')!, /^text\/event-stream/);
  assert.equal(stream.headers.get('x-accel-buffering'), 'no');
  const events = await stream.readRest();
  assert.deepEqual([...new Set(events.map(({ type }) => type))], ['start', 'usage', 'text', 'done']);
  const answerText = getText(events);
  assert.match(answerText, /You asked: “What do I hold\?”/);
  const found = await read(getConversationId(events));
  assert.deepEqual(
    [found.title, found.messages.length, found.messages[1].parts, found.messages[1].status],
    ['What do I hold?', 2, [{ type: 'text', text: answerText }], 'done'],
  );
  const end = getLastEvent(events);
  assert.ok(end.type === 'done' && end.reason === 'complete' && end.usage.counted > 1000 && end.usage.calls === 1);
});

test('sends only fixed instructions and read-only tools that do not name the member', async () => {
  await askAndRead('What is new? [tool my_position {"symbol":"AAPL"}]', { symbol: 'aapl' });
  const sent = service.model.requests.at(-1)!;
  const { SYSTEM_PROMPT } = await import('../src/features/assistant/answers/system-prompt.ts');
  assert.equal(sent.body.system, SYSTEM_PROMPT);
  assert.deepEqual(
    sent.body.tools.map(({ name }) => name),
    [
      'run_sql',
      'my_position',
      'watchlist_today',
      'reports_ahead',
      'news',
      'net_worth_change',
      'why_moving',
      'price_alerts',
      'dividend_income',
    ],
  );
  assert.equal(sent.headers.authorization, 'Bearer sk-test-key');
  assert.equal(sent.headers['anthropic-version'], '2026-10-21');
  const everything = JSON.stringify(sent.body);
  for (const name of [ada.idpId, service.firstRun.members[0]!.email, 'sess_'])
    assert.ok(!everything.includes(name), name);
  assert.match(JSON.stringify(sent.body.messages[0]), /in New York\. About AAPL\./);
  assert.match(sent.body.metadata!.user_id!, /^[0-9a-f]{32}$/);
});

test('streams the start and end of a tool call with its SQL and rows', async () => {
  const events = await askAndRead('[tool run_sql {"sql":"select symbol from holdings order by symbol limit 2"}]');
  const calls = events.flatMap((event) => (event.type === 'tool' ? [event.call] : []));
  assert.deepEqual(
    calls.map(({ status, input }) => [status, input['sql']]),
    ['running', 'ok'].map((status) => [status, 'select symbol from holdings order by symbol limit 2']),
  );
  const [, ended] = calls;
  assert.ok(ended?.status === 'ok' && ended.result.rows.length === 2 && ended.result.columns[0] === 'symbol');
  assert.match(getText(events), /^Let me look\. Found it: 1 result\./);
  const end = getLastEvent(events);
  assert.ok(end.type === 'done' && end.usage.calls === 2 && end.usage.input! > 0);
});

test('returns a tool’s rejection to the model and continues the answer', async () => {
  const events = await askAndRead('[tool run_sql {"sql":"delete from holdings"}]');
  const ended = events.findLast((event) => event.type === 'tool')!;
  assert.ok(ended.type === 'tool' && ended.call.status === 'refused' && /Only SELECT/.test(ended.call.message));
  assert.match(JSON.stringify(service.model.requests.at(-1)!.body.messages.at(-1)), /Only SELECT is available/);
  assert.equal(getLastEvent(events).type, 'done');
});

test('sends earlier exchanges of only this conversation as texts', async () => {
  const first = await askAndRead('The first question.');
  const id = getConversationId(first);
  await askAndRead('And the second?', { conversation_id: id });
  const texts = JSON.stringify(service.model.requests.at(-1)!.body.messages);
  assert.match(texts, /The first question\./);
  await askAndRead('A new one.');
  assert.doesNotMatch(JSON.stringify(service.model.requests.at(-1)!.body.messages), /The first question/);
  assert.equal((await read(id)).messages.length, 4);
});

test('allows tool calls in six turns and then requires an answer', async () => {
  const answered = await askAndRead('[loop]');
  assert.ok(getLastEvent(answered).type === 'done');
  assert.match(getText(answered), /You asked/);
  const before = service.model.requests.length;
  const endlessQuestion = await askAndRead('[loop forever]');
  const end = getLastEvent(endlessQuestion);
  assert.ok(end.type === 'done' && end.reason === 'too_many_tools');
  assert.equal(service.model.requests.length - before, 7);
  assert.equal(service.model.requests.at(-1)!.body.tool_choice!.type, 'none');
});

test('retries an overload before the first word, then reports it and allows a retry', async () => {
  assert.equal(getLastEvent(await askAndRead('[overload once]')).type, 'done');
  for (const [sentinel, code] of [
    ['[overload]', 'OVERLOADED'],
    ['[overload midway]', 'OVERLOADED'],
    ['[cut]', 'CUT_SHORT'],
    ['[early end]', 'CUT_SHORT'],
    ['[bad key]', 'NOT_CONFIGURED'],
  ] as const) {
    const events = await askAndRead(sentinel);
    const end = getLastEvent(events);
    assert.ok(end.type === 'error' && end.code === code, `${sentinel}: ${JSON.stringify(end)}`);
    assert.equal(end.retry, code !== 'NOT_CONFIGURED');
    const answer = (await read(getConversationId(events))).messages[1];
    assert.deepEqual([answer.status, answer.failure.code], ['failed', code]);
    assert.equal(answer.parts.map(({ text }: { text: string }) => text).join(''), getText(events), 'what came is kept');
  }
});

test('replaces the failed answer when the question is retried', async () => {
  const failed = await askAndRead('[cut]');
  const id = getConversationId(failed);
  assert.ok(failed[0]!.type === 'start');
  const repeated = await askAndRead('Now?', { conversation_id: id, retry_of: failed[0]!.message_id });
  assert.equal(getLastEvent(repeated).type, 'done');
  assert.deepEqual(
    (await read(id)).messages.map(({ role, text }: { role: string; text?: string }) => text ?? role),
    ['Now?', 'assistant'],
  );
});

test('reports why an answer ended when it was too long or the model refused', async () => {
  for (const [sentinel, reason] of [
    ['[too long]', 'too_long'],
    ['[refuse]', 'refused'],
  ] as const) {
    const end = getLastEvent(await askAndRead(sentinel));
    assert.ok(end.type === 'done' && end.reason === reason, JSON.stringify(end));
  }
});

test('returns the finished answer when a member leaves and comes back', async () => {
  const stream = await ada.ask('[slow]');
  const start = (await stream.events.next()).value;
  assert.ok(start?.type === 'start');
  await stream.events.next();
  stream.disconnect();
  const during = await read(start.conversation_id);
  assert.equal(during.messages[1].status, 'answering');
  const busy = await ada.ask('Another', { conversation_id: start.conversation_id });
  assert.deepEqual([busy.status, busy.errorBody.code], [409, 'CONFLICT']);
  service.model.releaseFirstBytes();
  await eventually(async () => (await read(start.conversation_id)).messages[1].status === 'done');
  const [, answer] = (await read(start.conversation_id)).messages;
  assert.deepEqual(answer.parts, [{ type: 'text', text: 'One two three.' }]);
});

test('stops the answer, stores its text and closes the model’s stream on request', async () => {
  const stream = await ada.ask('[slow]');
  const start = (await stream.events.next()).value;
  assert.ok(start?.type === 'start');
  for await (const event of stream.events) if (event.type === 'text') break;
  const id = start.conversation_id;
  assert.equal((await bob.call('POST', `/api/assistant/conversations/${id}/stop`)).status, 404);
  assert.equal((await ada.call('POST', `/api/assistant/conversations/${id}/stop`)).status, 204);
  await eventually(async () => (await read(id)).messages[1].status === 'done');
  const [, answer] = (await read(id)).messages;
  assert.deepEqual([answer.reason, answer.parts[0].text], ['stopped', 'One ']);
  await eventually(() => service.model.requests.at(-1)!.aborted);
});

test('stops an answer that another process streams', async () => {
  const stream = await ada.ask('[slow]');
  const start = (await stream.events.next()).value;
  assert.ok(start?.type === 'start');
  await service.database.owner('update public.assistant_messages set stop_requested = true where id = $1', [
    start.message_id,
  ]);
  const end = getLastEvent(await stream.readRest());
  assert.ok(end.type === 'done' && end.reason === 'stopped');
});

test('marks an answer as interrupted when its process died', async () => {
  const id = getConversationId(await askAndRead('One.'));
  await service.database.owner(
    `update public.assistant_messages set status = 'answering', written_at = now() - interval '2 minutes'
      where conversation_id = $1 and role = 'assistant'`,
    [id],
  );
  const [, answer] = (await read(id)).messages;
  assert.deepEqual([answer.status, answer.failure.code], ['failed', 'INTERRUPTED']);
  assert.equal(getLastEvent(await askAndRead('Two.', { conversation_id: id })).type, 'done');
});

test('lists only the member’s conversations and deletes one or all of them', async () => {
  const id = getConversationId(await askAndRead('Mine.'));
  for (const [method, path] of [
    ['GET', `/api/assistant/conversations/${id}`],
    ['DELETE', `/api/assistant/conversations/${id}`],
  ] as const)
    assert.equal((await bob.call(method, path)).status, 404);
  const foreignRequests = await bob.ask('Go on', { conversation_id: id });
  assert.equal(foreignRequests.status, 404);
  assert.ok((await read(id)).messages.length === 2);
  assert.equal((await ada.call('DELETE', `/api/assistant/conversations/${id}`)).status, 204);
  assert.equal((await ada.call('GET', `/api/assistant/conversations/${id}`)).status, 404);
  assert.equal((await ada.call('DELETE', '/api/assistant/conversations')).status, 204);
  assert.deepEqual((await ada.call('GET', '/api/assistant/conversations')).body, { conversations: [] });
  assert.ok((await ada.call('GET', '/api/assistant')).body.used.tokens > 0, 'deleting brings no tokens back');
});

test('deletes a conversation 30 days after its last message', async () => {
  const id = getConversationId(await askAndRead('Old.'));
  await service.database.owner(
    `update public.assistant_conversations set updated_at = now() - interval '31 days' where id = $1`,
    [id],
  );
  assert.equal((await ada.call('GET', `/api/assistant/conversations/${id}`)).status, 404);
  const { deleteExpired } = await import('../src/features/assistant/conversations/queries.ts');
  await deleteExpired(service.database.database.service);
  const left = await service.database.owner('select id from public.assistant_messages where conversation_id = $1', [
    id,
  ]);
  assert.deepEqual(left, []);
});

test('rejects an invalid question before it stores anything', async () => {
  for (const body of [{ text: '' }, { text: 'x'.repeat(2001) }, { text: 'a', model: 'other' }]) {
    const { status } = await ada.call('POST', '/api/assistant/messages', body);
    assert.equal(status, 400);
  }
  const tour = await ada.call('POST', '/api/assistant/messages', { text: 'a' }, { 'x-demo-tour': '1' });
  assert.deepEqual([tour.status, tour.body.code], [403, 'DEMO_MODE']);
});
