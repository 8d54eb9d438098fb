import type { Lint } from './database-lints/lint.ts';
import { grantLints } from './database-lints/grants.ts';
import { functionLints } from './database-lints/functions.ts';
import { ownerKeyLints } from './database-lints/owner-keys.ts';
import { policyLints } from './database-lints/policies.ts';
import { tableLints } from './database-lints/tables.ts';

interface Finding {
  lint: string;
  object: string;
  remedy: string;
}

export const lints: readonly Lint[] = [
  ...tableLints,
  ...ownerKeyLints,
  ...policyLints,
  ...functionLints,
  ...grantLints,
];

/** Returns everything in the database's own schemas that violates a rule. */
export async function lintDatabase(query: <Row extends object>(sql: string) => Promise<Row[]>): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name, remedy, sql } of lints) {
    for (const { object } of await query<{ object: string }>(sql)) findings.push({ lint: name, object, remedy });
  }
  return findings;
}
