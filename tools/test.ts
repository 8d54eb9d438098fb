import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { startVitest } from 'vitest/node';
import { check } from './check.ts';
import { runFile } from './run/run-file.ts';

// `npm test` runs the checks and all tests, `npm test -- <path>` the tests under a path; one line has the totals.

const paths = process.argv.slice(2);
const checking = paths.length === 0 ? check() : true;
const totals = [await runVitest(), await runPlaywright(), { passed: 0, failed: (await checking) ? 0 : 1 }];
const passed = totals.reduce((sum, part) => sum + part.passed, 0);
const failed = totals.reduce((sum, part) => sum + part.failed, 0);
if (passed + failed === 0) console.error(`No test ran: no test file matches ${paths.join(' ')}.`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

/** Runs the tests of Vitest. A file that cannot be loaded and a test that is skipped without a reason are failures. */
async function runVitest(): Promise<{ passed: number; failed: number }> {
  const vitest = await startVitest('test', paths, {
    watch: false,
    project: ['shared', 'alone'],
    passWithNoTests: paths.length > 0,
  });
  const files = vitest.state.getTestModules();
  let failures = vitest.state.getUnhandledErrors().length + files.filter((file) => file.errors().length > 0).length;
  let passes = 0;
  for (const file of files)
    for (const test of file.children.allTests()) {
      const { state, note } = { note: undefined, ...test.result() };
      const name = `${file.relativeModuleId}: ${test.fullName}`;
      if (state === 'passed') passes += 1;
      else if (state === 'skipped' && note) console.log(`Skipped: ${name} (${note})`);
      else failures += 1;
      if (state === 'skipped' && !note) console.error(`Failed, since it is skipped without a reason: ${name}`);
    }
  await vitest.close();
  return { passed: passes, failed: failures };
}

/** Runs the browser tests. A test that is skipped, or passes only on a retry, is a failure. */
async function runPlaywright(): Promise<{ passed: number; failed: number }> {
  const all = globSync('test/e2e/**/*.e2e.ts');
  const files = all.filter((file) => paths.length === 0 || paths.some((path) => file.includes(path)));
  if (files.length === 0) return { passed: 0, failed: 0 };
  const report = 'node_modules/.cache/browser-tests.json';
  rmSync(report, { force: true });
  const args = ['test', '--project=browser', '--reporter=list,json', ...files];
  const code = await runFile('node_modules/@playwright/test/cli.js', args, { PLAYWRIGHT_JSON_OUTPUT_FILE: report });
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  const { stats, errors } = JSON.parse(readFileSync(report, 'utf8')) as {
    stats: Record<'expected' | 'unexpected' | 'flaky' | 'skipped', number>;
    errors: unknown[];
  };
  const failures = stats.unexpected + stats.flaky + stats.skipped + errors.length;
  return { passed: stats.expected, failed: failures === 0 && code !== 0 ? 1 : failures };
}
