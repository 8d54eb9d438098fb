import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

const TIMEOUT_MS = 60_000;

/**
 * Waits until something holds that happens beside the test; after a minute it fails and says what. A loaded machine is
 * slow: a test waits for what it needs, not for a time.
 */
export async function eventually(
  holds: () => boolean | Promise<boolean>,
  what: () => string = () => holds.toString(),
): Promise<void> {
  for (const end = performance.now() + TIMEOUT_MS; !(await holds()); await sleep(10)) {
    if (performance.now() > end) throw new Error(`This did not come to hold within a minute: ${what()}`);
  }
}

/** Waits as long until what is read is this; then the difference is the failure. */
export async function eventuallyEquals<T>(read: () => T | Promise<T>, wanted: T): Promise<void> {
  let last = await read();
  for (const end = performance.now() + TIMEOUT_MS; !isDeepStrictEqual(last, wanted) && performance.now() < end;) {
    await sleep(50);
    last = await read();
  }
  assert.deepEqual(last, wanted);
}
