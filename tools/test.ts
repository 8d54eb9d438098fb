import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { startVitest } from 'vitest/node';
import { check } from './check.ts';
import { runFile } from './run/run-file.ts';

// `npm test` runs the checks and the tests, and `npm run test:slow` runs the tests with the tag `slow`. Both accept
// paths.

const slow = process.argv.includes('--slow');
const paths = process.argv.slice(2).filter((argument) => argument !== '--slow');
const failures: string[] = [];
const checking = slow || paths.length > 0 ? true : check();
const passed = (await runVitest()) + (await runPlaywright());
if (!(await checking)) failures.push('npm run check');
if (passed + failures.length === 0) failures.push(`no test ran: none matches ${paths.join(' ')}`);
for (const failure of failures) console.error(`Failed: ${failure}`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length > 0 ? 1 : 0;

/** Runs the tests of Vitest and returns how many passed. A test that is skipped without a reason is a failure. */
async function runVitest(): Promise<number> {
  const vitest = await startVitest('test', paths, {
    watch: false,
    passWithNoTests: paths.length > 0,
    tagsFilter: [slow ? 'slow' : '!slow'],
    ...(slow && { maxWorkers: 2 }),
  });
  let passes = 0;
  for (const error of vitest.state.getUnhandledErrors()) failures.push((error as { message: string }).message);
  for (const file of vitest.state.getTestModules()) {
    if (file.errors().length > 0) failures.push(file.relativeModuleId);
    for (const test of file.children.allTests()) {
      if (test.tags.includes('slow') !== slow) continue;
      const { state, note } = { note: undefined, ...test.result() };
      const name = `${file.relativeModuleId}: ${test.fullName}`;
      if (state === 'passed') passes += 1;
      else if (state === 'skipped' && note) console.log(`Skipped: ${name} (${note})`);
      else failures.push(state === 'skipped' ? `${name} (skipped without a reason)` : name);
    }
  }
  await vitest.close();
  return passes;
}

/**
 * Runs the browser tests and returns how many passed. A skipped test is a failure. A test that passes only on a retry
 * is a failure of the slow run alone, since a busy machine must not fail `npm test`; the report lists it as flaky.
 */
async function runPlaywright(): Promise<number> {
  const all = globSync('test/e2e/**/*.e2e.ts');
  const files = all.filter((file) => paths.length === 0 || paths.some((path) => file.includes(path)));
  if (files.length === 0) return 0;
  const report = 'node_modules/.cache/browser-tests.json';
  rmSync(report, { force: true });
  const args = ['test', '--project=browser', '--pass-with-no-tests', '--reporter=list,json', ...files];
  args.push(...(slow ? ['--grep=@slow', '--fail-on-flaky-tests'] : ['--grep-invert=@slow']));
  const code = await runFile('node_modules/@playwright/test/cli.js', args, { PLAYWRIGHT_JSON_OUTPUT_FILE: report });
  if (code !== 0) failures.push('browser tests, as listed above');
  const { stats } = existsSync(report)
    ? JSON.parse(readFileSync(report, 'utf8'))
    : { stats: { expected: 0, flaky: 0, skipped: 0 } };
  if (stats.skipped > 0) failures.push(`${stats.skipped} browser tests are skipped`);
  if (stats.flaky > 0) console.log(`${stats.flaky} browser tests passed only on a retry, as listed above`);
  return stats.expected + stats.flaky;
}
