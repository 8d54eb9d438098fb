import type { RightsFixture } from './rights-fixture.ts';
import type { Mutant } from './mutants.ts';
import type { Rights } from './rights.ts';

/** Whether the table of rights notices the mutant: its object's lines differ from what is committed. */
export async function isKilled(fixture: RightsFixture, expected: Rights, mutant: Mutant): Promise<boolean> {
  const found = await fixture.findRightsAfter(mutant.sql, mutant.object);
  return found.get(mutant.object)?.join('\n') !== expected.get(mutant.object)?.join('\n');
}
