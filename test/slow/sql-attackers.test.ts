// @module-tag slow
// @module-tag timed
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { compareBesideAttackers } from '../support/attackers.ts';
import { createTestDatabase } from '../support/database.ts';
import { ADA, seedSqlFixture } from '../support/sql-fixture.ts';
import type { ReadOnly } from '../../src/platform/database/read-only.ts';

const LIMITS = { rows: 10, bytes: 100_000, cost: Infinity };
const TIMING_OUT_SQL = 'select count(*) from closes a, closes b, closes c where a.close + b.close + c.close < 0';
const SHORT_SQL = "select h.symbol, p.price from holdings h join prices p using (symbol) where h.symbol = 'SAP'";
const ATTACKERS = 6;
const SAMPLES = 60;

/** Returns one short statement of a member as the call to measure. */
const measureShortStatements = (run: ReadOnly['run']) => ({
  samples: SAMPLES,
  call: async (): Promise<void> => {
    const response = await run(ADA, SHORT_SQL, LIMITS);
    assert.ok(response.ok && response.rows.length === 1, JSON.stringify(response));
  },
});

test("answers a member's short statements when six others run long ones", { retry: 1 }, async (t) => {
  const db = await createTestDatabase(t);
  await seedSqlFixture(db);
  const { run } = db.database.readOnly!;
  let timedOut = 0;
  const attack = async (index: number): Promise<void> => {
    // An attacker whose wait for a connection times out is rejected and tries again.
    const response = await run(`user_attacker_${index}`, TIMING_OUT_SQL, LIMITS).catch(() => undefined);
    if (response && !response.ok) timedOut += 1;
  };
  const attackers = { count: ATTACKERS, attack, hasBegun: () => timedOut >= 2 };
  const ratio = await compareBesideAttackers(attackers, measureShortStatements(run));
  // The goal is three, with room for a busy machine. Without lanes the factor is several hundred.
  assert.ok(ratio < 30, `${ratio.toFixed(1)} times`);
});
