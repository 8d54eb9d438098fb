import { availableParallelism } from 'node:os';
import { Transform } from 'node:stream';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

export interface Totals {
  passed: number;
  failed: number;
  /** Files that ran to their end without holding a test; Node counts each as one that passed, we as one that failed. */
  empty: string[];
}

/** A test that takes longer than this hangs, and fails. */
const TEST_TIMEOUT_MS = 300_000;

/**
 * Runs test files, each in a process of its own, one a core; prints the runner's own report and closing lines.
 * `files` are absolute. A cancelled test counts as failed.
 */
export async function runTests(files: readonly string[], signal: AbortSignal): Promise<Totals> {
  const totals: Totals = { passed: 0, failed: 0, empty: [] };
  const silent = new Set(files);
  const events = run({ files: [...files], concurrency: Math.max(1, availableParallelism()), timeout: TEST_TIMEOUT_MS, signal });
  events.on('test:summary', ({ file, counts }) => {
    // Each file has a summary too; the last, of no file, is the whole run's.
    if (file === undefined) Object.assign(totals, { passed: counts.passed, failed: counts.tests - counts.passed });
    else if (counts.tests > 0) silent.delete(file);
  });
  events.on('test:fail', ({ file }) => file !== undefined && silent.delete(file));
  // A pipe of our own keeps standard output open after the report has ended.
  const report = events.compose(new spec()).pipe(
    new Transform({ transform: (chunk, _encoding, done) => void process.stdout.write(chunk as Buffer, () => done()) }),
  );
  report.resume();
  await finished(report);
  const empty = signal.aborted ? [] : [...silent];
  return { passed: totals.passed - empty.length, failed: totals.failed + empty.length, empty };
}
