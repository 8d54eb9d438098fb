import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTestCluster } from '../test/support/cluster.ts';
import { useMemory } from '../test/support/memory-folder.ts';
import { startSharedSite } from '../test/support/shared-site.ts';
import { buildLibrary } from '../tools/build-library.ts';
import { buildWeb } from '../tools/build-web.ts';
import { check } from './check.ts';
import { measuringEnv, printFileTimes } from './run/file-times.ts';
import { printSkipped } from './run/print-skipped.ts';
import { processorTime } from './run/processor-time.ts';
import { runTests, type Totals } from './run/run-tests.ts';
import { findTestFiles, isBrowserTest } from './run/test-files.ts';

/**
 * `npm test [-- path …]`: the checks, and beside them every test on a real PostgreSQL and in a real browser. Paths
 * narrow it to those tests. With `--times` one file runs at a time, and what each took is printed.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const started = performance.now();
const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort());

let taken: number | undefined;
const options = process.argv.slice(2);
const times = options.includes('--times');
const wanted = options.filter((option) => option !== '--times');
const files = findTestFiles(root, wanted);
// Beside the tests, which wait now and then: neither needs both cores all the time.
const checked = wanted.length > 0 ? Promise.resolve(true) : check(interrupt.signal);
const totals: Totals =
  files.length > 0 && !interrupt.signal.aborted
    ? await runOnCluster()
    : { passed: 0, failed: 0, skipped: [], empty: [], unsteady: [] };
const clean = await checked;

const failed = totals.failed + (clean ? 0 : 1);
const ran = totals.passed + totals.failed;
if (ran === 0)
  console.error(wanted.length > 0 ? `No test ran: no test file matches ${wanted.join(' ')}.` : 'No test ran.');
for (const file of totals.empty)
  console.error(`${file} holds no test: write one, or remove the file. It counts as failed.`);
for (const test of totals.unsteady) console.error(`Unsteady, passed only when run again alone: ${test}`);
printSkipped(totals.skipped);
if (!clean) console.error('The checks above failed; they count as one failed test.');
console.log(`${((performance.now() - started) / 1000).toFixed(1)} s in all`);
if (taken !== undefined) console.log(`${taken.toFixed(0)} s of processor time, of all its processes`);
console.log(`${totals.passed} passed, ${failed} failed`);
process.exitCode = interrupt.signal.aborted ? 130 : failed > 0 || ran === 0 ? 1 : 0;

async function runOnCluster(): Promise<Totals> {
  await Promise.all([buildWeb({ ifStale: true }), buildLibrary({ ifStale: true })]);
  // Each process of tests loads the same modules: what one has compiled the others take, also in the next run.
  process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/tests');
  const removeTemporary = await useMemory();
  const cluster = await startTestCluster();
  try {
    Object.assign(process.env, cluster.env);
    const site = files.some(isBrowserTest) ? await startSharedSite() : undefined;
    try {
      Object.assign(process.env, site?.env);
      const absolute = files.map((file) => resolve(root, file));
      if (!times) return await runTests(absolute, interrupt.signal);
      const folder = mkdtempSync(join(tmpdir(), 'tally-times-'));
      const path = join(folder, 'times');
      Object.assign(process.env, measuringEnv(path));
      try {
        return await runTests(absolute, interrupt.signal, 1);
      } finally {
        printFileTimes(path);
        rmSync(folder, { recursive: true });
      }
    } finally {
      // Before they end: what a browser or a server has taken is known only while it runs.
      taken = processorTime();
      await site?.stop();
    }
  } finally {
    await cluster.stop();
    removeTemporary();
  }
}
