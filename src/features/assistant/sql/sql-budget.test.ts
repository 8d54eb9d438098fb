import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { startFakeRedis } from '../../../../test/fakes/redis.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { type McpApp, startMcpApp } from '../../../../test/support/mcp-app.ts';
import { createSharedRateLimits } from '../../../platform/http/redis-rate-limiter.ts';
import { openSharedRedis } from '../../../platform/http/shared-redis.ts';
import { limitStatementTime } from './sql-budget.ts';

/** Conditions that hold for every row of three joined tables, although the planner expects almost no matching row. */
const underestimatedConditions = ['a', 'b', 'c'].map(
  (t) => `${t}.close * 2 = ${t}.close + ${t}.close and ${t}.close * 1 = ${t}.close / 1`,
);
const TIMING_OUT_SQL = `select count(*) from closes a, closes b, closes c where ${underestimatedConditions.join(' and ')}`;
const SHORT_SQL = 'select count(*) from accounts';
const LIMITS = { rows: 10, bytes: 100_000, cost: Infinity };
const ADA = 'user_ada';
const BOB = 'user_bob';

let app: McpApp;
beforeAll(async () => {
  app = await startMcpApp();
});
afterAll(() => app.close());

test('returns 429 only to the member whose statement timed out', { tags: ['slow'] }, async () => {
  const ask = (member: string, sql: string) => app.call('POST', '/api/assistant/sql', member, { sql });
  const token = await app.makeToken(ADA, { scopes: ['sql'] });
  assert.equal((await ask(ADA, SHORT_SQL)).status, 200);
  assert.equal((await ask(ADA, TIMING_OUT_SQL)).body.code, 'SQL_TIMED_OUT');

  const rejected = await ask(ADA, SHORT_SQL);
  assert.deepEqual([rejected.status, rejected.body.code], [429, 'RATE_LIMITED']);
  assert.match(rejected.body.message, /used its 10 seconds of this minute.*wait \d+ seconds/);
  const retryAfter = Number(rejected.headers.get('retry-after'));
  assert.ok(retryAfter > 0 && retryAfter <= 60, `retry-after ${retryAfter}`);
  const call = { method: 'tools/call', params: { name: 'run_sql', arguments: { sql: SHORT_SQL } } };
  const message = { jsonrpc: '2.0', id: 1, ...call };
  assert.match(await (await app.post(token, message)).text(), /used its 10 seconds of this minute/);
  assert.equal((await ask(BOB, SHORT_SQL)).status, 200);
});

test('rejects a fifth concurrent statement and accepts a later one', async () => {
  const limits = createSharedRateLimits(undefined);
  const { run } = limitStatementTime(app.db.database.readOnly!, 60, limits.createLimiter);
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => run(ADA, SHORT_SQL, LIMITS)));
  const rejected = outcomes.filter(
    (outcome) => outcome.status === 'rejected' && outcome.reason.code === 'RATE_LIMITED',
  );
  assert.equal(rejected.length, 2);
  assert.equal((await run(ADA, SHORT_SQL, LIMITS)).ok, true);
});

test('exhausts the budget when there are many short statements', async () => {
  const limits = createSharedRateLimits(undefined);
  const { run } = limitStatementTime(app.db.database.readOnly!, 1, limits.createLimiter);
  // One second covers 20 statements of the minimum charge.
  assert.equal((await run(ADA, SHORT_SQL, LIMITS)).ok, true);
  for (let remaining = 19; remaining > 0; remaining -= 1) await run(ADA, SHORT_SQL, LIMITS).catch(() => {});
  await assert.rejects(run(ADA, SHORT_SQL, LIMITS), { code: 'RATE_LIMITED' });
  assert.equal((await run(BOB, SHORT_SQL, LIMITS)).ok, true);
});

test("shares a member's budget between processes when they share Redis", { tags: ['slow'] }, async (t) => {
  const redis = await startFakeRedis();
  t.onTestFinished(() => redis.close());
  const connections = [1, 2].map(() =>
    openSharedRedis(redis.url, { info: () => {}, warn: () => {} }, { responseTimeoutMs: 10_000 }),
  );
  t.onTestFinished(async () => {
    await Promise.all(connections.map((connection) => connection.close()));
  });
  const processes = connections.map((connection) => createSharedRateLimits(connection));
  for (const limits of processes)
    await eventually(async () => (await limits.consume('warm-up', 1_000, 60_000)) !== undefined);
  const [first, second] = processes.map((limits) =>
    limitStatementTime(app.db.database.readOnly!, 10, limits.createLimiter),
  );
  assert.equal((await first!.run(ADA, TIMING_OUT_SQL, LIMITS)).ok, false);
  await assert.rejects(second!.run(ADA, SHORT_SQL, LIMITS), { code: 'RATE_LIMITED' });
  assert.equal((await second!.run(BOB, SHORT_SQL, LIMITS)).ok, true);
});
