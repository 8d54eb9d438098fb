import { expectedRights, openArena } from '../test/support/rls/arena.ts';
import { isKilled } from '../test/support/rls/judge-mutant.ts';
import { listMutants } from '../test/support/rls/mutants.ts';

/**
 * `npm run lab -- mutate-policies`: drops or loosens every policy, grant, row-level-security switch, function grant and
 * role, one at a time in a copy of the database, and asks whether test/rls-matrix.test.ts would go red. Ends with 1
 * where a mutant lives.
 */
const arena = await openArena();
try {
  const expected = expectedRights();
  const mutants = await listMutants(arena.client);
  const started = performance.now();
  const alive = [];
  for (const mutant of mutants) if (!(await isKilled(arena, expected, mutant))) alive.push(mutant);
  for (const { object, what } of alive) console.log(`alive: ${object}: ${what}`);
  console.log(
    `${mutants.length - alive.length}/${mutants.length} mutants killed in ` +
      `${((performance.now() - started) / 1000).toFixed(0)} s`,
  );
  if (alive.length > 0 || mutants.length === 0) process.exitCode = 1;
} finally {
  await arena.close();
}
