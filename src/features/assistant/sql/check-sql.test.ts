import assert from 'node:assert/strict';
import { test } from 'vitest';
import { readAttacks } from '../../../../test/support/sql-attacks/run-attacks.ts';
import { checkSql } from './check-sql.ts';

/** What comes of an attack behind the parser: it is sent to the database. */
const SENT = new Set(['answered', 'server', 'too_expensive']);

test('each attack is refused by the guard meant for it, or sent to the database, before any is asked', async () => {
  const faults: string[] = [];
  for (const { expected, sql } of readAttacks()) {
    const verdict = await checkSql(sql);
    const became = verdict.ok ? 'sent' : verdict.rule;
    if (became !== (SENT.has(expected) ? 'sent' : expected))
      faults.push(`${became}, not ${expected}: ${sql.slice(0, 160)}`);
  }
  assert.deepEqual(faults, []);
});
