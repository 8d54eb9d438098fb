import type { RightsFixture } from './rights-fixture.ts';
import type { Mutant } from './mutants.ts';
import type { Rights } from './rights.ts';

/** Returns true if the table of rights detects the mutant: the lines of its object differ from the committed ones. */
export async function isKilled(fixture: RightsFixture, expected: Rights, mutant: Mutant): Promise<boolean> {
  const found = await fixture.findRightsAfter(mutant.sql, mutant.object);
  return found.get(mutant.object)?.join('\n') !== expected.get(mutant.object)?.join('\n');
}
