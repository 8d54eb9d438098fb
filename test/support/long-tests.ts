import { randomInt } from 'node:crypto';

/**
 * True with `LONG_TESTS=on npm test`, which runs all cases that are too long for every run. Otherwise each run covers
 * another part.
 */
export const runsLongTests = process.env['LONG_TESTS'] === 'on';

/** The random seed. A test that uses it prints it, and `SEED=<number>` repeats the run. */
export const seed = Number(process.env['SEED'] ?? randomInt(2 ** 31));
