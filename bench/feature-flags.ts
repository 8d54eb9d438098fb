/**
 * `npm run bench -- feature-flags [--calls 5000]`: what a flag costs for a member who was asked about in the
 * last seconds, for one who was not, and with a statement for each, as it was before the settings were read whole.
 * Answers are compared first. Ends with 1 where a goal is missed.
 */
import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { createFeatureFlags } from '../src/feature-flags/feature-flags.ts';
import { shareOf } from '../src/feature-flags/flag-source.ts';
import { selectFlagFor, upsertFlag } from '../src/feature-flags/queries.ts';
import { createLogger } from '../src/http/logger.ts';
import { createTestDatabase } from '../test/support/database.ts';

const { values } = parseArgs({ options: { calls: { type: 'string', default: '5000' } } });
const calls = Number(values.calls);
/** Microseconds of processor time of this process. */
const GOAL = { remembered: 20, first: 100 };

await using stack = new AsyncDisposableStack();
const db = await createTestDatabase();
stack.defer(() => db.drop());
const sql = db.database.service;
await upsertFlag(sql, 'measured', 50);
const flags = createFeatureFlags({ sql, logger: createLogger('silent'), freshFor: 600_000 });
const byStatement = async (member: string): Promise<boolean> => {
  const [row] = await selectFlagFor(sql, 'measured', member);
  return row !== undefined && (row.enabled ?? shareOf('measured', member) < row.percentage);
};

const ways: Readonly<Record<string, (turn: number) => Promise<boolean>>> = {
  remembered: (turn) => flags.isOn('measured', `user_${turn % 100}`),
  first: (turn) => flags.isOn('measured', `new_${turn}`),
  statement: (turn) => byStatement(`user_${turn}`),
};
for (let n = 0; n < 1_000; n += 1) {
  assert.equal(await flags.isOn('measured', `user_${n}`), await byStatement(`user_${n}`));
  await flags.isOn('measured', `warm_${n}`);
}

const cost: Record<string, { cpu: number; wall: number }> = {};
for (const [name, ask] of Object.entries(ways)) {
  const [before, began] = [process.cpuUsage(), performance.now()];
  for (let turn = 0; turn < calls; turn += 1) await ask(turn);
  const { user, system } = process.cpuUsage(before);
  cost[name] = { cpu: (user + system) / calls, wall: ((performance.now() - began) * 1_000) / calls };
}
const { remembered, first, statement } = cost;
for (const [name, { cpu, wall }] of Object.entries(cost))
  console.log(`${name.padEnd(12)} ${cpu.toFixed(1).padStart(7)} µs of processor, ${wall.toFixed(1).padStart(7)} µs`);
console.log(`a statement each takes ${(statement!.wall / remembered!.wall).toFixed(0)} times as long as remembered`);
process.exitCode = remembered!.cpu <= GOAL.remembered && first!.cpu <= GOAL.first ? 0 : 1;
