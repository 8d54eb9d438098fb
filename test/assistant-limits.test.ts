import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, test } from 'vitest';
import { reserveTokens, recordTokenUsage, readUsageToday } from '../src/features/assistant/conversations/queries.ts';
import { reportKind } from '../src/features/assistant/contract.ts';
import { type AssistantService, startAssistantService } from './support/assistant-service.ts';
import { signInViewer } from './support/demo-viewer.ts';

let service: AssistantService;
beforeAll(async () => {
  service = await startAssistantService({ ASSISTANT_DAILY_ANSWERS: '3', ASSISTANT_DAILY_TOKENS: '30000' });
});
afterAll(() => service.stop());

const limits = { answers: 10, tokens: 1_000, installationTokens: 1_000_000 };
const getSql = () => service.database.database.service;
const getMemberId = (at: number): string => service.firstRun.members[at]!.idp_user_id;
const reserve = (idpId: string, answerId: string, tokens: number, usageKey = limits, seconds = 60) =>
  reserveTokens(getSql(), { idpId, answerId, tokens, seconds }, usageKey);
const clear = () => service.database.owner('delete from public.assistant_usage');

test('grants the remaining tokens to only one of several concurrent calls', async () => {
  for (let round = 0; round < 5; round++) {
    await clear();
    const found = await Promise.all([1, 2, 3].map(() => reserve(getMemberId(2), randomUUID(), 600)));
    assert.deepEqual(found.toSorted(), ['ok', 'tokens', 'tokens']);
  }
});

test('replaces a reservation by the usage unless the process was killed', async () => {
  await clear();
  const answer = randomUUID();
  assert.equal(await reserve(getMemberId(2), answer, 900), 'ok');
  await recordTokenUsage(getSql(), { idpId: getMemberId(2), answerId: answer, tokens: 100 });
  assert.deepEqual(await readUsageToday(getSql(), getMemberId(2)), { answers: 1, tokens: 100 });
  assert.equal(await reserve(getMemberId(2), answer, 900), 'ok', 'the next call of the same answer');
  assert.equal(await reserve(getMemberId(2), randomUUID(), 1), 'tokens');
  await service.database.owner(`update public.assistant_usage set expires_at = now() - interval '1 second'`);
  assert.deepEqual(await readUsageToday(getSql(), getMemberId(2)), { answers: 1, tokens: 100 });
  assert.equal(await reserve(getMemberId(2), randomUUID(), 900), 'ok');
});

test('limits tokens per member, tokens in total and answers per day', async () => {
  await clear();
  assert.equal(await reserve(getMemberId(2), randomUUID(), 900), 'ok');
  assert.equal(
    await reserve(getMemberId(1), randomUUID(), 900, { ...limits, installationTokens: 1_500 }),
    'installation',
  );
  assert.equal(await reserve(getMemberId(1), randomUUID(), 500, { ...limits, installationTokens: 1_500 }), 'ok');
  assert.equal(await reserve(getMemberId(1), randomUUID(), 1, { ...limits, answers: 1 }), 'answers');
});

test('charges no tokens when the model rejects the call', async () => {
  await clear();
  const proMember = await service.signIn(1);
  await (await proMember.ask('[overload]')).readRest();
  const { used } = (await proMember.call('GET', '/api/assistant')).body;
  assert.deepEqual(used, { answers: 0, tokens: 0 });
});

test('rejects a question with the reset time after the daily answers', async () => {
  await clear();
  const freeMember = await service.signIn(0);
  for (let attempts = 0; attempts < 3; attempts++)
    assert.equal((await (await freeMember.ask('Well?')).readRest()).at(-1)!.type, 'done');
  const { used, limit, resets_at: resetsAt } = (await freeMember.call('GET', '/api/assistant')).body;
  assert.deepEqual([used.answers, limit], [3, { answers: 3, tokens: 30_000 }]);
  const rejected = await freeMember.ask('Once more?');
  assert.deepEqual(
    [rejected.status, rejected.errorBody.code, rejected.errorBody.of, rejected.errorBody.resets_at],
    [429, 'DAILY_LIMIT_REACHED', 'answers', resetsAt],
  );
  assert.ok(Number(rejected.headers.get('retry-after')) > 0);
  assert.equal((await freeMember.call('GET', '/api/assistant/conversations')).body.conversations.length, 3);
});

test('ends an answer and keeps its text when a limit is reached midway', async () => {
  await clear();
  const max = await service.signIn(2);
  await service.database.owner(
    `insert into public.assistant_usage (idp_id, answer_id, day, spent, expires_at)
     values ($1, gen_random_uuid(), (now() at time zone 'UTC')::date, 25200, now())`,
    [max.idpId],
  );
  const events = await (await max.ask('[tool my_position {"symbol":"AAPL"}]')).readRest();
  const end = events.at(-1)!;
  assert.ok(end.type === 'error' && end.code === 'DAILY_LIMIT_REACHED', JSON.stringify(events.at(-1)));
  assert.ok(events.some(({ type }) => type === 'text'));
});

test('returns plain reports to the demo account and the sample user', async () => {
  const viewer = await signInViewer(service, service.url);
  const { available, unavailable_because: reason } = (await viewer.call('GET', '/api/assistant')).body;
  assert.deepEqual([available, reason], [false, 'demo']);
  const report = await viewer.call('GET', '/api/assistant/reports/list_today');
  assert.equal(report.status, 200);
});

test('returns every report over HTTP for held and for watched securities', async () => {
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
