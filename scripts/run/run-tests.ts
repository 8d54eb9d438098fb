import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { Transform } from 'node:stream';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { isBrowserTest } from './test-files.ts';

export interface SkippedTest {
  /** File and name. */
  test: string;
  reason: string;
}

export interface Totals {
  passed: number;
  failed: number;
  /** Tests that found at run time that they cannot run here, and said why; one that does not say why has failed. */
  skipped: SkippedTest[];
  /** Files that ran to their end without holding a test; Node counts each as one that passed, we as one that failed. */
  empty: string[];
  /** Browser tests that failed once and passed when they ran again alone. */
  unsteady: string[];
}

/** A test that takes longer than this hangs, and fails. */
const TEST_TIMEOUT_MS = 300_000;

/** A run of more files than this names its slowest ones: the whole run has ten minutes. */
const FILES_WITHOUT_NAMES = 20;
const NAMED = 25;

/** More files than this do not fail by chance. */
const MAX_SECOND_TRIES = 3;

/**
 * Runs test files, each in a process of its own, two more than there are cores, since tests wait too; prints the
 * runner's own report and closing lines. `files` are absolute. A cancelled test counts as failed. Where nothing but a
 * few browser tests failed, their files run once more, alone: a browser beside a busy machine can be late. What passes
 * then is named as unsteady, what fails again has failed.
 */
export async function runTests(files: readonly string[], signal: AbortSignal): Promise<Totals> {
  const first = await runOnce(files, availableParallelism() + 2, signal);
  const again = [...first.failures.keys()];
  const total = ({ failures: _failures, ...totals }: Run): Totals => ({ ...totals, unsteady: [] });
  if (
    signal.aborted ||
    first.empty.length > 0 ||
    again.length === 0 ||
    again.length > MAX_SECOND_TRIES ||
    !again.every(isBrowserTest)
  )
    return total(first);
  console.log(`Once more, alone: ${again.join(', ')}`);
  const second = await runOnce(again, 1, signal);
  const unsteady = again
    .filter((file) => !second.failures.has(file))
    .flatMap((file) => first.failures.get(file)!.map((name) => `${file}: ${name}`));
  const { failed, empty } = second;
  return { passed: first.passed + first.failed - failed, failed, skipped: first.skipped, empty, unsteady };
}

interface Run extends Omit<Totals, 'unsteady'> {
  /** Names of what failed, by file. */
  failures: Map<string, string[]>;
}

async function runOnce(files: readonly string[], concurrency: number, signal: AbortSignal): Promise<Run> {
  const totals = { passed: 0, failed: 0 };
  const failures = new Map<string, string[]>();
  const skipped: SkippedTest[] = [];
  const silent = new Set(files);
  const took: { file: string; seconds: number }[] = [];
  const events = run({ files: [...files], concurrency: Math.max(1, concurrency), timeout: TEST_TIMEOUT_MS, signal });
  events.on('test:summary', ({ file, counts, duration_ms }) => {
    if (file !== undefined) took.push({ file, seconds: duration_ms / 1000 });
    // Each file has a summary too; the last, of no file, is the whole run's.
    if (file === undefined) Object.assign(totals, { passed: counts.passed, failed: counts.tests - counts.passed });
    else if (counts.tests > 0) silent.delete(file);
  });
  events.on('test:pass', ({ name, file, skip }) => {
    // A bare skip() gives `true` for its reason.
    if (typeof skip === 'string' && skip !== '')
      skipped.push({ test: `${relative(process.cwd(), file ?? '')}: ${name}`, reason: skip });
  });
  events.on('test:fail', (event) => {
    // `file` is where the test is written, which may be a module that several files share; Node's types do not know
    // `entryFile` yet.
    const { name, file: writtenIn, entryFile: file = writtenIn } = event as typeof event & { entryFile?: string };
    if (file === undefined) return;
    silent.delete(file);
    failures.set(file, [...(failures.get(file) ?? []), name]);
  });
  // A pipe of our own keeps standard output open after the report has ended.
  const report = events.compose(new spec()).pipe(
    new Transform({
      transform: (chunk, _encoding, done) => void process.stdout.write(chunk as Buffer, () => done()),
    }),
  );
  report.resume();
  await finished(report);
  if (took.length > FILES_WITHOUT_NAMES) printSlowest(took);
  const empty = signal.aborted ? [] : [...silent];
  const failed = totals.failed + empty.length - skipped.length;
  return { passed: totals.passed - empty.length, failed, skipped, empty, failures };
}

function printSlowest(took: readonly { file: string; seconds: number }[]): void {
  const slowest = took.toSorted((a, b) => b.seconds - a.seconds).slice(0, NAMED);
  const all = took.reduce((sum, { seconds }) => sum + seconds, 0);
  console.log(`Slowest files, of ${took.length} that took ${all.toFixed(0)} s one after the other:`);
  for (const { file, seconds } of slowest)
    console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${relative(process.cwd(), file)}`);
}
