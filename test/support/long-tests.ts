import { randomInt } from 'node:crypto';

/**
 * `LONG_TESTS=on npm test` goes through all of what is too long for every run; else each run takes another part of
 * it.
 */
export const runsLongTests = process.env['LONG_TESTS'] === 'on';

/** Where chance begins. A test that uses it prints it; `SEED=<it>` repeats the run. */
export const seed = Number(process.env['SEED'] ?? randomInt(2 ** 31));
