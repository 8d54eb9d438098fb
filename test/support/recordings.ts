import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { TestContext } from 'vitest';

const checkout = join(import.meta.dirname, '../..');

/** The folder RECORDINGS, by default `../shared` beside the checkout. */
const shared = resolve(checkout, process.env['RECORDINGS'] || '../shared');

/** Returns the path of a recording of the real service, which may be absent. */
export const recordingAt = (name: string): string => join(shared, 'data/token-counts', name);

/** Requests with the responses that users of the real service reported, one a file. The folder may be absent. */
export const CASES_FOLDER = join(shared, 'cases/count-tokens');

/** Files of brokers, and `expected.json` with what each holds. The folder may be absent. */
export const IMPORT_CASES_FOLDER = join(shared, 'cases/import');

/**
 * Returns the path of a recording that a test compares with. If it is absent, the test is skipped with the reason and
 * gets `undefined`. If RECORDINGS_REQUIRED is set, its absence throws.
 */
export function recordingFor(t: Pick<TestContext, 'skip'>, name: string): string | undefined {
  return findOrSkip(t, recordingAt(name));
}

/** Returns a path that exists. If it is absent, the test is skipped with the reason, or fails if it is required. */
export function findOrSkip(t: Pick<TestContext, 'skip'>, path: string): string | undefined {
  if (existsSync(path)) return path;
  const reason = `not compared: there is no ${path}`;
  if (process.env['RECORDINGS_REQUIRED'])
    throw new Error(
      `${reason}, and RECORDINGS_REQUIRED is set. RECORDINGS names the folder that holds data and cases.`,
    );
  t.skip(reason);
  return undefined;
}
