import type { Arena } from './arena.ts';
import type { Mutant } from './mutants.ts';
import type { Rights } from './rights.ts';

/** Whether the table of rights notices the mutant: its object's lines differ from what is committed. */
export async function isKilled(arena: Arena, expected: Rights, mutant: Mutant): Promise<boolean> {
  const found = await arena.rightsAfter(mutant.sql, mutant.object);
  return found.get(mutant.object)?.join('\n') !== expected.get(mutant.object)?.join('\n');
}
