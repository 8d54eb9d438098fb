import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

const TIMEOUT_MS = 60_000;

/**
 * Milliseconds before the next look: soon at first, then seldom, since looking at a page or a database takes processor
 * time from what is waited for.
 */
const pauses = [5, 10, 20, 30];
const LONGEST_PAUSE = 50;
const pause = (turn: number): Promise<void> => sleep(pauses[turn] ?? LONGEST_PAUSE);

/**
 * Waits until something holds that happens beside the test; after a minute it fails and says what. A loaded machine is
 * slow: a test waits for what it needs, not for a time.
 */
export async function eventually(
  holds: () => boolean | Promise<boolean>,
  what: () => string = () => holds.toString(),
): Promise<void> {
  const end = performance.now() + TIMEOUT_MS;
  for (let turn = 0; !(await holds()); await pause(turn++)) {
    if (performance.now() > end) throw new Error(`This did not come to hold within a minute: ${what()}`);
  }
}

/** Waits as long until what is read is this; then the difference is the failure. */
export async function eventuallyEquals<T>(read: () => T | Promise<T>, wanted: T): Promise<void> {
  let last = await read();
  const end = performance.now() + TIMEOUT_MS;
  for (let turn = 0; !isDeepStrictEqual(last, wanted) && performance.now() < end; turn += 1) {
    await pause(turn);
    last = await read();
  }
  assert.deepEqual(last, wanted);
}
