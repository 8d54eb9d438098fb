import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import type { JSONReport, JSONReportSpec, JSONReportSuite } from '@playwright/test/reporter';
import { startVitest } from 'vitest/node';
import { TIME_IS_UP } from '../test/support/time-limit.ts';
import { check } from './check.ts';
import { chooseSlowTests, listSlowTests } from './run/choose-slow-tests.ts';
import { parseOptions } from './run/parse-options.ts';
import { runFile } from './run/run-file.ts';

// `npm test` runs the checks and the tests, and `npm run test:slow` runs the tests with the tag `slow`. With paths, both
// run only the tests of those files. `npm run test:slow -- --changed` runs the slow tests for what changed since the
// commit BASE, by default in the last day, and starts none after 30 minutes.

const { values, positionals } = parseOptions({
  usage: 'npm test [-- PATH...] or npm run test:slow [-- PATH... | --changed] runs the tests, or those of these files.',
  options: { slow: { type: 'boolean', default: false }, changed: { type: 'boolean', default: false } },
  allowPositionals: true,
});
if (values.changed && positionals.length > 0) throw new Error('--changed chooses the files itself; give it no path.');
const slow = values.slow || values.changed;
/** Whether a skipped test fails the run, where the machine must have what every one of its tests needs. */
const SKIPS_FAIL = process.env['SKIPS_FAIL'] === 'on';
const failures: string[] = [];
const skipped: { name: string; reason: string }[] = [];
const checking = slow || positionals.length > 0 ? true : check();
let passed = 0;
for (const paths of values.changed ? choose() : [positionals])
  passed += (await runVitest(paths)) + (await runPlaywright(paths));
if (!(await checking)) failures.push('npm run check');
if (passed + skipped.length + failures.length === 0)
  failures.push(`no test ran: none matches ${positionals.join(' ')}`);
for (const [reason, tests] of Map.groupBy(skipped, (test) => test.reason))
  console.log([`Skipped, ${reason}:`, ...tests.map(({ name }) => `  ${name}`)].join('\n'));
for (const failure of failures) console.error(`Failed: ${failure}`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length > 0 ? 1 : 0;

/** Returns the chosen slow test files in groups, those of the change first, prints them and limits the run's time. */
function choose(): string[][] {
  const { base, commit, changed, tenth, rest } = chooseSlowTests({ base: process.env['BASE'] });
  const groups = [
    { title: `${changed.length} slow test files that changed since ${base}, or whose imports did`, files: changed },
    { title: `${tenth.length} of the ${tenth.length + rest.length} others, chosen by commit ${commit}`, files: tenth },
  ];
  for (const { title, files } of groups) console.log([`${title}:`, ...files.map((file) => `  ${file}`)].join('\n'));
  process.env['STARTS_UNTIL'] = String(Date.now() + 30 * 60_000);
  return groups.map(({ files }) => files).filter((files) => files.length > 0);
}

/**
 * Runs the tests of Vitest and returns how many passed. A test that is skipped without a reason is a failure. Tests of
 * times, and all with `--changed`, have a retry; one that passes only on it is a failure of the whole slow run alone.
 */
async function runVitest(paths: string[]): Promise<number> {
  const slowFiles = listSlowTests();
  const vitest = await startVitest('test', slow && paths.length === 0 ? slowFiles : paths, {
    watch: false,
    passWithNoTests: paths.length > 0,
    ...(slow ? { tagsFilter: ['slow'] } : { tagsFilter: ['!slow'], project: ['!slow', '!timed'] }),
    ...(values.changed && { retry: 1 }),
  });
  let passes = 0;
  for (const error of vitest.state.getUnhandledErrors()) failures.push((error as { message: string }).message);
  for (const file of vitest.state.getTestModules()) {
    if (file.errors().length > 0) failures.push(file.relativeModuleId);
    for (const test of file.children.allTests()) {
      const name = `${file.relativeModuleId}: ${test.fullName}`;
      if (test.tags.includes('slow') && !slowFiles.includes(file.relativeModuleId))
        failures.push(`${name} (tools/run/choose-slow-tests.ts does not find its tag)`);
      if (test.tags.includes('slow') !== slow) continue;
      const result = test.result();
      const note = result.state === 'skipped' ? result.note : undefined;
      const isFlaky = test.diagnostic()?.flaky === true;
      if (isFlaky) console.log(`Passed only on a retry: ${name}`);
      if (isFlaky && slow && !values.changed) failures.push(`${name} (flaky)`);
      else if (result.state === 'passed') passes += 1;
      else if (note && !SKIPS_FAIL) skipped.push({ name, reason: note });
      else if (note) failures.push(`${name} (skipped, ${note})`);
      else failures.push(result.state === 'skipped' ? `${name} (skipped without a reason)` : name);
    }
  }
  await vitest.close();
  return passes;
}

/**
 * Runs the browser tests and returns how many passed. A skipped test is a failure unless the run's time is up. A test
 * that passes only on a retry is a failure of the whole slow run alone; the report lists it as flaky.
 */
async function runPlaywright(paths: string[]): Promise<number> {
  const all = globSync('test/e2e/**/*.e2e.ts');
  const files = all.filter((file) => paths.length === 0 || paths.some((path) => file.includes(path)));
  if (files.length === 0) return 0;
  const path = 'node_modules/.cache/browser-tests.json';
  rmSync(path, { force: true });
  const args = ['test', '--project=browser', '--pass-with-no-tests', '--reporter=list,json', ...files];
  args.push(slow ? '--grep=@slow' : '--grep-invert=@slow');
  if (slow && !values.changed) args.push('--fail-on-flaky-tests');
  const code = await runFile('node_modules/@playwright/test/cli.js', args, { PLAYWRIGHT_JSON_OUTPUT_FILE: path });
  if (code !== 0) failures.push('browser tests, as listed above');
  const report = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as JSONReport) : undefined;
  for (const { file, title, tests } of report?.suites.flatMap(listSpecs) ?? [])
    for (const { annotations } of tests.filter(({ status }) => status === 'skipped')) {
      const name = `${file}: ${title}`;
      const reason = annotations.find(({ type }) => type === 'skip')?.description;
      if (reason === TIME_IS_UP) skipped.push({ name, reason });
      else failures.push(`${name} (skipped)`);
    }
  const { expected, flaky } = report?.stats ?? { expected: 0, flaky: 0 };
  if (flaky > 0) console.log(`${flaky} browser tests passed only on a retry, as listed above`);
  return expected + flaky;
}

function listSpecs({ specs, suites = [] }: JSONReportSuite): JSONReportSpec[] {
  return [...specs, ...suites.flatMap(listSpecs)];
}
