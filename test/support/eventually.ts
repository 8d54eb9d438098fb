import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

const TIMEOUT_MS = 60_000;

/**
 * Pauses in ms between two polls. They grow, since polling a page or a database takes processor time from the awaited
 * work.
 */
const pausesMs = [5, 10, 20, 30];
const MAX_PAUSE_MS = 50;
const waitForNextAttempt = (turn: number): Promise<void> => sleep(pausesMs[turn] ?? MAX_PAUSE_MS);

/**
 * Waits until a condition outside the test is true. Throws with a description after a minute. A test waits for a
 * condition instead of a fixed time, since a loaded machine is slow.
 */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  description: () => string = () => condition.toString(),
): Promise<void> {
  const end = performance.now() + TIMEOUT_MS;
  for (let turn = 0; !(await condition()); await waitForNextAttempt(turn++)) {
    if (performance.now() > end) throw new Error(`This did not come to hold within a minute: ${description()}`);
  }
}

/** Waits until `read` returns the expected value. After a minute it throws with the difference. */
export async function eventuallyEquals<T>(read: () => T | Promise<T>, expected: T): Promise<void> {
  let last = await read();
  const end = performance.now() + TIMEOUT_MS;
  for (let turn = 0; !isDeepStrictEqual(last, expected) && performance.now() < end; turn += 1) {
    await waitForNextAttempt(turn);
    last = await read();
  }
  assert.deepEqual(last, expected);
}
