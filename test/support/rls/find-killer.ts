import type { Mutant } from './mutants.ts';
import type { RightsFixture } from './rights-fixture.ts';
import type { Rights } from './rights.ts';
import { findBrokenRules } from './rules.ts';

/**
 * Returns what detects a mutant: a rule, or only the comparison with the committed table of rights, which a migration
 * may renew.
 */
export async function findKiller(
  fixture: RightsFixture,
  expected: Rights,
  { object, sql }: Mutant,
): Promise<'rule' | 'table' | undefined> {
  const found = await fixture.findRightsAfter(sql, object);
  if (findBrokenRules(found).length > 0) return 'rule';
  return found.get(object)?.join('\n') === expected.get(object)?.join('\n') ? undefined : 'table';
}
