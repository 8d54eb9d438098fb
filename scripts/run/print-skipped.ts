import { NOT_COMPARED } from '../../test/support/recordings.ts';
import type { SkippedTest } from './run-tests.ts';

/**
 * Names what a run left out, and why: comparisons with absent recordings first, counted, since they are what shows that
 * the counts are right.
 */
export function printSkipped(skipped: readonly SkippedTest[]): void {
  const uncompared = skipped.filter(({ reason }) => reason.startsWith(NOT_COMPARED));
  const others = skipped.filter(({ reason }) => !reason.startsWith(NOT_COMPARED));
  if (uncompared.length > 0)
    console.error(
      `NOT COMPARED: ${uncompared.length} comparisons with recordings of the real service did not run, ` +
        'since the recordings are absent (CONTRIBUTING.md, "Recordings"):',
    );
  for (const { test, reason } of uncompared) console.error(`  ${test} (${reason})`);
  if (others.length > 0) console.error(`Skipped, since this machine lacks what they need: ${others.length}`);
  for (const { test, reason } of others) console.error(`  ${test} (${reason})`);
}
