import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 60_000;

/**
 * Waits until something holds that happens beside the test; after a minute it fails and says what. A loaded machine is slow: a test waits
 * for what it needs, not for a time.
 */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !(await holds()); await sleep(10)) {
    if (performance.now() > end) throw new Error(`This did not come to hold within a minute: ${holds.toString()}`);
  }
}
