import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { TestContext } from 'vitest';

const checkout = join(import.meta.dirname, '../..');

/**
 * Returns the path of a recording of the real service, which may be absent. The folder is RECORDINGS, by default
 * `../shared` beside the checkout.
 */
export const recordingAt = (name: string): string =>
  resolve(checkout, process.env['RECORDINGS'] || '../shared', 'data/token-counts', name);

/**
 * Returns the path of a recording that a test compares with. If it is absent, the test is skipped with the reason and
 * gets `undefined`. If RECORDINGS_REQUIRED is set, its absence throws.
 */
export function recordingFor(t: Pick<TestContext, 'skip'>, name: string): string | undefined {
  const path = recordingAt(name);
  if (existsSync(path)) return path;
  const reason = `not compared: there is no ${path}`;
  if (process.env['RECORDINGS_REQUIRED'])
    throw new Error(
      `${reason}, and RECORDINGS_REQUIRED is set. RECORDINGS names the folder that holds data/token-counts.`,
    );
  t.skip(reason);
  return undefined;
}
