import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { Transform } from 'node:stream';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { isBrowserTest } from './test-files.ts';
import { createQueue, type TestQueue } from './test-queue.ts';

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

/** A run of more files than this names its slowest ones: the whole run has ten minutes. */
const FILES_WITHOUT_NAMES = 20;
const NAMED = 25;

/** A process of a run that lasts longer than this hangs; a file has a limit of its own. */
const RUN_TIMEOUT_MS = 3_600_000;

/** More files than this do not fail by chance. */
const MAX_SECOND_TRIES = 3;

/** What each process of a run runs. */
const PROCESS = fileURLToPath(new URL('./test-process.ts', import.meta.url));

/**
 * Runs test files in two processes more than there are cores, since tests wait too; a process takes one file after the
 * other, so that modules are loaded once. Prints the runner's own report and closing lines. `files` are absolute. A
 * cancelled test counts as failed. Where nothing but a few browser tests failed, their files run once more, alone: a
 * browser beside a busy machine can be late. What passes then is named as unsteady, what fails again has failed.
 */
export async function runTests(
  files: readonly string[],
  signal: AbortSignal,
  processes = availableParallelism() + 2,
): Promise<Totals> {
  const first = await runOnce(files, processes, createQueue(files, processes), signal);
  const again = [...first.failures.keys()];
  const total = ({ failures: _failures, unexplained: _unexplained, ...totals }: Run): Totals => ({
    ...totals,
    unsteady: [],
  });
  if (
    signal.aborted ||
    first.unexplained > 0 ||
    first.empty.length > 0 ||
    again.length === 0 ||
    again.length > MAX_SECOND_TRIES ||
    !again.every(isBrowserTest)
  )
    return total(first);
  console.log(`Once more, alone: ${again.join(', ')}`);
  const second = await runOnce(again, 1, createQueue(again, 0), signal);
  const unsteady = again
    .filter((file) => !second.failures.has(file))
    .flatMap((file) => first.failures.get(file)!.map((name) => `${file}: ${name}`));
  const { failed, empty } = second;
  return { passed: first.passed + first.failed - failed, failed, skipped: first.skipped, empty, unsteady };
}

interface Run extends Omit<Totals, 'unsteady'> {
  /** Names of what failed, by file. */
  failures: Map<string, string[]>;
  /** Processes that failed although their files ended. */
  unexplained: number;
}

async function runOnce(
  files: readonly string[],
  concurrency: number,
  queue: TestQueue,
  signal: AbortSignal,
): Promise<Run> {
  let passed = 0;
  let failedProcesses = 0;
  const failures = new Map<string, string[]>();
  const fail = (file: string, name: string): unknown => failures.set(file, [...(failures.get(file) ?? []), name]);
  const skipped: SkippedTest[] = [];
  const silent = new Set(files);
  const took: { file: string; seconds: number }[] = [];
  const byName = new Map(files.map((file) => [relative(process.cwd(), file), file]));
  // The report tells of one process after the other, and of a process's files as suites of their names.
  let file = '';
  Object.assign(process.env, queue.env);
  const events = run({
    files: Array.from({ length: queue.processes }, () => PROCESS),
    concurrency,
    timeout: RUN_TIMEOUT_MS,
    signal,
  });
  events.on('test:start', ({ name, nesting }) => void (nesting === 0 && (file = byName.get(name) ?? file)));
  events.on('test:pass', ({ name, skip, todo, details, nesting }) => {
    if (details.type === 'suite') {
      if (nesting === 0) took.push({ file, seconds: details.duration_ms / 1000 });
      return;
    }
    silent.delete(file);
    // A bare skip() gives `true` for its reason.
    if (typeof skip === 'string' && skip !== '')
      skipped.push({ test: `${relative(process.cwd(), file)}: ${name}`, reason: skip });
    else if (skip !== undefined || todo !== undefined) fail(file, name);
    else passed += 1;
  });
  events.on('test:fail', ({ name, details, nesting }) => {
    if (name === PROCESS) return void (failedProcesses += 1);
    silent.delete(file);
    if (details.type !== 'suite') return fail(file, name);
    if (nesting > 0) return;
    took.push({ file, seconds: details.duration_ms / 1000 });
    // Not a test but the file itself, or a hook.
    if (!failures.has(file)) fail(file, name);
  });
  // A pipe of our own keeps standard output open after the report has ended.
  const report = events.compose(new spec()).pipe(
    new Transform({
      transform: (chunk, _encoding, done) => void process.stdout.write(chunk as Buffer, () => done()),
    }),
  );
  report.resume();
  await finished(report);
  const died = signal.aborted ? [] : queue.unfinished();
  queue.remove();
  for (const ended of died) {
    silent.delete(ended);
    fail(ended, 'its process ended before its tests did');
    console.log(`✖ ${relative(process.cwd(), ended)}: its process ended before its tests did`);
  }
  if (took.length > FILES_WITHOUT_NAMES) printSlowest(took);
  const empty = signal.aborted ? [] : [...silent];
  const unexplained = Math.max(0, failedProcesses - died.length);
  const failed = [...failures.values()].flat().length + empty.length + unexplained;
  return { passed, failed, skipped, empty, failures, unexplained };
}

function printSlowest(took: readonly { file: string; seconds: number }[]): void {
  const slowest = took.toSorted((a, b) => b.seconds - a.seconds).slice(0, NAMED);
  const all = took.reduce((sum, { seconds }) => sum + seconds, 0);
  console.log(`Slowest files, of ${took.length} that took ${all.toFixed(0)} s one after the other:`);
  for (const { file, seconds } of slowest)
    console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${relative(process.cwd(), file)}`);
}
