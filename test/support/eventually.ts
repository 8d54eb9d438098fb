import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

const TIMEOUT_MS = 60_000;

/**
 * Milliseconds before the next look: soon at first, then seldom, since looking at a page or a database takes processor
 * time from what is waited for.
 */
const pausesMs = [5, 10, 20, 30];
const MAX_PAUSE_MS = 50;
const waitForNextAttempt = (turn: number): Promise<void> => sleep(pausesMs[turn] ?? MAX_PAUSE_MS);

/**
 * Waits until something holds that happens beside the test; after a minute it fails and says what. A loaded machine is
 * slow: a test waits for what it needs, not for a time.
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

/** Waits as long until what is read is this; then the difference is the failure. */
export async function eventuallyEquals<T>(read: () => T | Promise<T>, expected: T): Promise<void> {
  let last = await read();
  const end = performance.now() + TIMEOUT_MS;
  for (let turn = 0; !isDeepStrictEqual(last, expected) && performance.now() < end; turn += 1) {
    await waitForNextAttempt(turn);
    last = await read();
  }
  assert.deepEqual(last, expected);
}
