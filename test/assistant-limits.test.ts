import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, test } from 'vitest';
import { reserveTokens, settleTokens, usedToday } from '../src/features/assistant/conversations/queries.ts';
import { reportKind } from '../src/features/assistant/contract.ts';
import { type AssistantService, startAssistantService } from './support/assistant-service.ts';
import { signInViewer } from './support/demo-viewer.ts';

let service: AssistantService;
beforeAll(async () => {
  service = await startAssistantService({ ASSISTANT_DAILY_ANSWERS: '3', ASSISTANT_DAILY_TOKENS: '30000' });
});
afterAll(() => service.stop());

const limits = { answers: 10, tokens: 1_000, ofAll: 1_000_000 };
const sql = () => service.database.database.service;
const member = (at: number): string => service.firstRun.members[at]!.idp_user_id;
const reserve = (idpId: string, answerId: string, tokens: number, of = limits, seconds = 60) =>
  reserveTokens(sql(), { idpId, answerId, tokens, seconds }, of);
const clear = () => service.database.owner('delete from public.assistant_usage');

test('two calls at once cannot both take what is left', async () => {
  for (let round = 0; round < 5; round++) {
    await clear();
    const found = await Promise.all([1, 2, 3].map(() => reserve(member(2), randomUUID(), 600)));
    assert.deepEqual(found.toSorted(), ['ok', 'tokens', 'tokens']);
  }
});

test('what was set aside is replaced by what was taken, and freed where its process was killed', async () => {
  await clear();
  const answer = randomUUID();
  assert.equal(await reserve(member(2), answer, 900), 'ok');
  await settleTokens(sql(), { idpId: member(2), answerId: answer, tokens: 100 });
  assert.deepEqual(await usedToday(sql(), member(2)), { answers: 1, tokens: 100 });
  assert.equal(await reserve(member(2), answer, 900), 'ok', 'the next call of the same answer');
  assert.equal(await reserve(member(2), randomUUID(), 1), 'tokens');
  await service.database.owner(`update public.assistant_usage set expires_at = now() - interval '1 second'`);
  assert.deepEqual(await usedToday(sql(), member(2)), { answers: 1, tokens: 100 });
  assert.equal(await reserve(member(2), randomUUID(), 900), 'ok');
});

test('a member, all members together, and the number of answers each have their limit', async () => {
  await clear();
  assert.equal(await reserve(member(2), randomUUID(), 900), 'ok');
  assert.equal(await reserve(member(1), randomUUID(), 900, { ...limits, ofAll: 1_500 }), 'installation');
  assert.equal(await reserve(member(1), randomUUID(), 500, { ...limits, ofAll: 1_500 }), 'ok');
  assert.equal(await reserve(member(1), randomUUID(), 1, { ...limits, answers: 1 }), 'answers');
});

test('a call that the model never let in takes nothing', async () => {
  await clear();
  const pro = await service.signIn(1);
  await (await pro.ask('[overload]')).rest();
  const { used } = (await pro.call('GET', '/api/assistant')).body;
  assert.deepEqual(used, { answers: 0, tokens: 0 });
});

test('past the day’s answers a question is refused with the time of the reset, and nothing is stored', async () => {
  await clear();
  const free = await service.signIn(0);
  for (let asked = 0; asked < 3; asked++) assert.equal((await (await free.ask('Well?')).rest()).at(-1)!.type, 'done');
  const { used, limit, resets_at: resetsAt } = (await free.call('GET', '/api/assistant')).body;
  assert.deepEqual([used.answers, limit], [3, { answers: 3, tokens: 30_000 }]);
  const refused = await free.ask('Once more?');
  assert.deepEqual(
    [refused.status, refused.refusal.code, refused.refusal.of, refused.refusal.resets_at],
    [429, 'DAILY_LIMIT_REACHED', 'answers', resetsAt],
  );
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.equal((await free.call('GET', '/api/assistant/conversations')).body.conversations.length, 3);
});

test('a limit that is reached within an answer ends it, and what came stays', async () => {
  await clear();
  const max = await service.signIn(2);
  await service.database.owner(
    `insert into public.assistant_usage (idp_id, answer_id, day, spent, expires_at)
     values ($1, gen_random_uuid(), (now() at time zone 'UTC')::date, 25200, now())`,
    [max.idpId],
  );
  const events = await (await max.ask('[tool my_position {"symbol":"AAPL"}]')).rest();
  const end = events.at(-1)!;
  assert.ok(end.type === 'error' && end.code === 'DAILY_LIMIT_REACHED', JSON.stringify(events.at(-1)));
  assert.ok(events.some(({ type }) => type === 'text'));
});

test('the demo account and the sample user get the plain reports', async () => {
  const viewer = await signInViewer(service, service.url);
  const { available, unavailable_because: why } = (await viewer.call('GET', '/api/assistant')).body;
  assert.deepEqual([available, why], [false, 'demo']);
  const report = await viewer.call('GET', '/api/assistant/reports/list_today');
  assert.equal(report.status, 200);
});

test('every report answers over HTTP, for what is held and watched alone', async () => {
  const max = await service.signIn(2);
  for (const kind of reportKind.options) {
    const { status, body } = await max.call('GET', `/api/assistant/reports/${kind}?symbol=AAPL`);
    assert.equal(status, 200, `${kind}: ${JSON.stringify(body)}`);
    assert.ok(body.lines.length > 0, kind);
    assert.equal(body.with_model, null);
  }
  assert.equal((await max.call('GET', '/api/assistant/reports/position')).status, 400);
  assert.equal((await max.call('GET', '/api/assistant/reports/position?symbol=ZZZZ')).status, 404);
  assert.equal((await max.call('GET', '/api/assistant/reports/horoscope')).status, 404);
});
