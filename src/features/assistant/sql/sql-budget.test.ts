import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { startFakeRedis } from '../../../../test/fakes/redis.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { type McpApp, startMcpApp } from '../../../../test/support/mcp-app.ts';
import { createSharedLimits } from '../../../platform/http/shared-limits.ts';
import { limitStatementTime } from './sql-budget.ts';

/** Three tables joined by conditions that hold for every row, of which the planner believes that hardly any passes. */
const believed = ['a', 'b', 'c'].map(
  (t) => `${t}.close * 2 = ${t}.close + ${t}.close and ${t}.close * 1 = ${t}.close / 1`,
);
const TOO_LONG = `select count(*) from closes a, closes b, closes c where ${believed.join(' and ')}`;
const SHORT = 'select count(*) from accounts';
const CAPS = { rows: 10, bytes: 100_000, cost: Infinity };
const [ADA, BOB] = ['user_ada', 'user_bob'];

let app: McpApp;
beforeAll(async () => {
  app = await startMcpApp();
});
afterAll(() => app.close());

test(
  'a member whose statement timed out is refused with 429 for a while when others are answered',
  { tags: ['slow'] },
  async () => {
    const ask = (member: string, sql: string) => app.call('POST', '/api/assistant/sql', member, { sql });
    const token = await app.makeToken(ADA, { scopes: ['sql'] });
    assert.equal((await ask(ADA, SHORT)).status, 200);
    assert.equal((await ask(ADA, TOO_LONG)).body.code, 'SQL_TIMED_OUT');

    const refused = await ask(ADA, SHORT);
    assert.deepEqual([refused.status, refused.body.code], [429, 'RATE_LIMITED']);
    assert.match(refused.body.message, /used its 10 seconds of this minute.*wait \d+ seconds/);
    const wait = Number(refused.headers.get('retry-after'));
    assert.ok(wait > 0 && wait <= 60, `retry-after ${wait}`);
    const call = { method: 'tools/call', params: { name: 'run_sql', arguments: { sql: SHORT } } };
    const message = { jsonrpc: '2.0', id: 1, ...call };
    assert.match(await (await app.post(token, message)).text(), /used its 10 seconds of this minute/);
    assert.equal((await ask(BOB, SHORT)).status, 200);
  },
);

test('a fifth statement at once is refused, and one after them is answered', async (t) => {
  const limits = createSharedLimits(undefined, { warn: () => {} });
  t.onTestFinished(() => limits.close());
  const { run } = limitStatementTime(app.db.database.readOnly!, 60, limits.limiter);
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => run(ADA, SHORT, CAPS)));
  const refused = outcomes.filter((one) => one.status === 'rejected' && one.reason.code === 'RATE_LIMITED');
  assert.equal(refused.length, 2);
  assert.equal((await run(ADA, SHORT, CAPS)).ok, true);
});

test('short statements use the budget up as well when there are many', async (t) => {
  const limits = createSharedLimits(undefined, { warn: () => {} });
  t.onTestFinished(() => limits.close());
  const { run } = limitStatementTime(app.db.database.readOnly!, 1, limits.limiter);
  // A second is 20 statements of the least that each counts for.
  assert.equal((await run(ADA, SHORT, CAPS)).ok, true);
  for (let left = 19; left > 0; left -= 1) await run(ADA, SHORT, CAPS).catch(() => {});
  await assert.rejects(run(ADA, SHORT, CAPS), { code: 'RATE_LIMITED' });
  assert.equal((await run(BOB, SHORT, CAPS)).ok, true);
});

test(
  'what a member used in one process is used in all of them when they share Redis',
  { tags: ['slow'] },
  async (t) => {
    const redis = await startFakeRedis();
    t.onTestFinished(() => redis.close());
    const processes = [1, 2].map(() => createSharedLimits(redis.url, { warn: () => {} }, { answerWithin: 10_000 }));
    t.onTestFinished(async () => {
      await Promise.all(processes.map((limits) => limits.close()));
    });
    for (const limits of processes)
      await eventually(async () => (await limits.take('warm-up', 1_000, 60_000)) !== undefined);
    const [one, other] = processes.map((limits) => limitStatementTime(app.db.database.readOnly!, 10, limits.limiter));
    assert.equal((await one!.run(ADA, TOO_LONG, CAPS)).ok, false);
    await assert.rejects(other!.run(ADA, SHORT, CAPS), { code: 'RATE_LIMITED' });
    assert.equal((await other!.run(BOB, SHORT, CAPS)).ok, true);
  },
);
