/**
 * `npm run lab -- referral-properties [sequences] [seed]` (default 10,000): random sequences of signed, repeated, late
 * and forged reports, public calls and connections, done by two processes at once on a real database; after each the
 * rules of referrals are checked. Ends with 1 and the smallest sequence that breaks one.
 */
import { createTestDatabase } from '../test/support/database.ts';
import { seed as anySeed } from '../test/support/long-tests.ts';
import { checkSequences } from '../test/support/referral-properties.ts';

const [sequences = 10_000, seed = anySeed] = process.argv.slice(2).map(Number);
const db = await createTestDatabase();
const started = performance.now();
try {
  console.log(`seed ${seed}`);
  const outcome = await checkSequences(db, sequences, seed);
  console.log(`${JSON.stringify(outcome)}, ${Math.round((performance.now() - started) / 1000)} s`);
} catch (error) {
  const { message, cause } = error as Error;
  console.error(message, cause);
  process.exitCode = 1;
} finally {
  await db.drop();
}
