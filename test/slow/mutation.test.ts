// @module-tag slow
import assert from 'node:assert/strict';
import pg from 'pg';
import { test } from 'vitest';
import { findWrongRows, listConstraints } from '../support/constraint-cases.ts';
import { queryAsOwner } from '../support/cluster.ts';
import { runsLongTests, seed } from '../support/long-tests.ts';
import { createTestDatabase } from '../support/database.ts';
import { guardCases, prepareGuards, runGuardCases } from '../support/guard-cases.ts';
import { equivalentMutants } from '../support/mutation/equivalent-mutants.ts';
import { type GuardMutant, listGuardMutants } from '../support/mutation/guard-mutants.ts';
import { findKiller } from '../support/rls/find-killer.ts';
import { listMutants } from '../support/rls/mutants.ts';
import { openRightsFixture, readExpectedRights } from '../support/rls/rights-fixture.ts';

const describeMutant = ({ kind, object, what }: GuardMutant): string => `${kind} ${object}, ${what}`;

/** Prints how many mutants the tests notice, and fails for each that survives without a reason. */
function assertKilled(mutants: readonly GuardMutant[], survivors: readonly GuardMutant[]): void {
  const counts = Map.groupBy(mutants, ({ kind }) => kind);
  for (const [kind, all] of counts) {
    const survived = survivors.filter((mutant) => mutant.kind === kind).length;
    console.log(`${kind}: ${all.length} mutants, ${all.length - survived} killed, ${survived} survived`);
  }
  const names = survivors.map(describeMutant);
  const equivalent = Object.keys(equivalentMutants).filter((name) =>
    mutants.some((one) => describeMutant(one) === name),
  );
  assert.deepEqual(names.toSorted(), equivalent.toSorted(), 'a mutant survived, or no longer does');
}

test('notices every loosened or tightened constraint', async (t) => {
  const db = await createTestDatabase(t);
  const client = new pg.Client({ connectionString: db.ownerUrl });
  await client.connect();
  t.onTestFinished(() => client.end());
  const mutants = (await listGuardMutants(client)).filter(({ kind }) => kind === 'check' || kind === 'unique');
  const constraints = await listConstraints(client);
  const survivors: GuardMutant[] = [];
  for (const mutant of mutants) {
    await client.query('begin');
    await client.query(mutant.sql);
    const mutated = await listConstraints(client);
    const isNoticed = await Promise.all(
      constraints
        .filter(({ table, name }) => table === mutant.object && new RegExp(`\\b${name}\\b`).test(mutant.what))
        .map(async ({ name, table }) => {
          const constraint = mutated.find((one) => one.name === name && one.table === table);
          return !constraint || (await findWrongRows(client, constraint)).length > 0;
        }),
    );
    if (!isNoticed.includes(true)) survivors.push(mutant);
    await client.query('rollback');
  }
  assertKilled(mutants, survivors);
});

test('notices every loosened guard of functions, views and policies', async (t) => {
  const db = await createTestDatabase(t);
  await prepareGuards(db);
  const unchanged = await createTestDatabase(t);
  await prepareGuards(unchanged);
  await runGuardCases(unchanged, guardCases);
  const client = new pg.Client({ connectionString: db.ownerUrl });
  await client.connect();
  const all = (await listGuardMutants(client)).filter(({ kind }) => kind !== 'check' && kind !== 'unique');
  await client.end();
  await db.close();
  const mutants: GuardMutant[] = [];
  const survivors: GuardMutant[] = [];
  for (const mutant of all) {
    const copy = await createTestDatabase(undefined, { template: db.name });
    try {
      const isValid = await queryAsOwner(copy.ownerUrl, mutant.sql).then(
        () => true,
        () => false,
      );
      if (!isValid) continue;
      mutants.push(mutant);
      const isNoticed = await runGuardCases(copy, guardCases).then(
        () => false,
        () => true,
      );
      if (!isNoticed) survivors.push(mutant);
    } finally {
      await copy.drop();
    }
  }
  assertKilled(mutants, survivors);
});

/** Share of the rights mutants that a run tries, another one each time. With LONG_TESTS=on it tries all. */
const RIGHTS_SAMPLE = runsLongTests ? 1 : 10;

test('notices every changed policy, grant, function and role', async (t) => {
  console.log(`SEED=${seed}`);
  const fixture = await openRightsFixture();
  t.onTestFinished(() => fixture.close());
  const expected = readExpectedRights();
  const mutants = (await listMutants(fixture.client)).filter((_, i) => (i + seed) % RIGHTS_SAMPLE === 0);
  assert.ok(mutants.length > 500, `${mutants.length} mutants`);
  const survivors: string[] = [];
  const kills = { rule: 0, table: 0 };
  for (const mutant of mutants) {
    const killer = await findKiller(fixture, expected, mutant);
    if (killer) kills[killer] += 1;
    else survivors.push(`${mutant.object}: ${mutant.what}`);
  }
  console.log(`rights: ${mutants.length} mutants, ${kills.rule} killed by a rule, ${kills.table} by the table alone`);
  assert.deepEqual(survivors, []);
});
