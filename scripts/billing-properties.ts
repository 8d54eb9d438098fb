/**
 * `npm run lab -- billing-properties [sequences] [seed]` (default 10,000): random changes at the payment provider whose
 * events are delivered 1 to 5 times, late and in random order, to two processes that die between; what is stored must
 * be the provider's last truth. Ends with 1 and the smallest sequence that breaks it.
 */
import { checkBilling } from '../test/support/billing-properties.ts';
import { createTestDatabase } from '../test/support/database.ts';
import { seed as anySeed } from '../test/support/long-tests.ts';

const [sequences = 10_000, seed = anySeed] = process.argv.slice(2).map(Number);
const db = await createTestDatabase();
const started = performance.now();
try {
  console.log(`seed ${seed}`);
  const outcome = await checkBilling(db, sequences, seed, { processes: 2 });
  console.log(`${JSON.stringify(outcome)}, ${Math.round((performance.now() - started) / 1000)} s`);
} catch (error) {
  const { message, cause } = error as Error;
  console.error(message, cause);
  process.exitCode = 1;
} finally {
  await db.drop();
}
