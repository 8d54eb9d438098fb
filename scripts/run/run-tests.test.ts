import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Totals } from './run-tests.ts';
import { findTestFiles } from './test-files.ts';

/**
 * Writes these files, runs the tests among them with the project's runner in a process of its own and returns what it
 * printed and its totals. `processes` is how many share the files, by default as many as in a run.
 */
function runOver(files: Record<string, string>, processes?: number): { output: string; totals: Totals } {
  const folder = mkdtempSync(join(tmpdir(), 'run-tests-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const runner = pathToFileURL(join(import.meta.dirname, 'run-tests.ts')).href;
    const driver = `import { runTests } from '${runner}';
      const totals = await runTests(${JSON.stringify(
        Object.keys(files)
          .filter((name) => /\.(test|e2e)\./.test(name))
          .map((name) => join(folder, name)),
      )}, new AbortController().signal, ${processes});
      console.log('\\n' + JSON.stringify(totals));`;
    // Inside a test file Node would take a second runner for a recursion and skip its files; a run that measures its
    // files would count these among them.
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined, TALLY_TEST_TIMES: undefined };
    writeFileSync(join(folder, 'driver.mjs'), driver);
    const { stdout } = spawnSync(process.execPath, [join(folder, 'driver.mjs')], { encoding: 'utf8', env });
    return { output: stdout, totals: JSON.parse(stdout.trim().split('\n').at(-1)!) as Totals };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const passing = "import { test } from 'node:test';\ntest('one', async (t) => { await t.test('inner', () => {}); });\n";

test("totals are those of the runner's own closing lines", () => {
  const { output, totals } = runOver({ 'a.test.mjs': passing, 'b.test.mjs': passing }, 1);
  assert.deepEqual(totals, { passed: 4, failed: 0, skipped: [], empty: [], unsteady: [] });
  assert.match(output, /^ℹ tests 4$/m);
  assert.match(output, /^ℹ pass 4$/m);
});

test('what fails, breaks, dies with its process or never ends in time counts as failed and hides nothing', () => {
  const failing = "import { test } from 'node:test';\ntest('no', () => { throw new Error('no'); });\n";
  const hanging =
    "import { test } from 'node:test';\ntest('late', { timeout: 50 }, () => new Promise((r) => setTimeout(r, " +
    '1000)));\n';
  const { output, totals } = runOver({
    'a.test.mjs': passing,
    'b.test.mjs': failing,
    'c.test.mjs': 'throw new Error("broken");\n',
    'd.test.mjs': hanging,
    'e.e2e.ts': "import { test } from 'node:test';\ntest('dies', () => process.exit(3));\n",
    'f.e2e.ts': passing,
  });
  assert.deepEqual(totals, { passed: 4, failed: 4, skipped: [], empty: [], unsteady: [] });
  assert.match(output, /failing tests/);
  assert.match(output, /e\.e2e\.ts/, 'the file that died is named');
});

const late = `import { existsSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
const seen = import.meta.filename + '.seen';
test('late', () => {
  if (existsSync(seen)) return;
  writeFileSync(seen, '');
  throw new Error('late');
});
`;

test('a browser test that passes when it runs again alone is named as unsteady; nothing else gets a second try', () => {
  // One of them is written in a module of its own.
  const shared = late.replace("test('late', () => {", "export const testLate = () => test('late', () => {");
  const { totals } = runOver({
    'a.test.mjs': passing,
    'b.e2e.ts': late,
    'shared.mjs': shared,
    'c.e2e.ts': "import { testLate } from './shared.mjs';\ntestLate();\n",
  });
  assert.deepEqual(
    { ...totals, unsteady: totals.unsteady.map((name) => name.replace(/.*\//, '')).toSorted() },
    { passed: 4, failed: 0, skipped: [], empty: [], unsteady: ['b.e2e.ts: late', 'c.e2e.ts: late'] },
  );
  assert.equal(runOver({ 'a.test.mjs': late }).totals.failed, 1);
  assert.equal(runOver({ 'a.test.mjs': late, 'b.e2e.ts': late }).totals.failed, 2);
});

test('a browser test that fails twice has failed', () => {
  const broken =
    "import { test } from 'node:test';\ntest('no', () => { throw new Error('no'); });\ntest('yes', () => {});\n";
  assert.deepEqual(runOver({ 'a.e2e.ts': broken }).totals, {
    passed: 1,
    failed: 1,
    skipped: [],
    empty: [],
    unsteady: [],
  });
});

test('a test skipped with a reason is neither passed nor failed; without one, or in a file of none, it failed', () => {
  const skipping = `import { test } from 'node:test';
test('with', (t) => t.skip('no such thing here'));
test('without', (t) => t.skip());
test('failing', (t) => { t.skip('no such thing here'); throw new Error('no'); });
test('sound', () => {});
`;
  const { totals } = runOver({ 'a.test.mjs': skipping, 'empty.test.mjs': 'export {};\n' }, 1);
  assert.deepEqual(
    {
      ...totals,
      skipped: totals.skipped.map(({ test: name, reason }) => [name.replace(/.*\//, ''), reason]),
      empty: totals.empty.map((name) => name.replace(/.*\//, '')),
    },
    {
      ...{ passed: 1, failed: 3, unsteady: [] },
      ...{ skipped: [['a.test.mjs: with', 'no such thing here']], empty: ['empty.test.mjs'] },
    },
  );
});

/** Says in its output which process it ran in. */
const telling =
  "import { test } from 'node:test';\ntest('tells', () => console.log(`process ${process.pid} of files`));\n";

test('files share as many processes as tests run at once; one that says so has a process of its own', () => {
  const names = Array.from({ length: 20 }, (_, place) => `${place}.test.mjs`);
  const shared = Object.fromEntries(names.map((name) => [name, telling]));
  const { output, totals } = runOver({
    ...shared,
    'own.test.mjs': `// Runs in a process of its own: it says so.\n${telling.replace('files', 'one file')}`,
  });
  assert.equal(totals.passed, 21);
  const processes = (text: string): Set<string> =>
    new Set([...output.matchAll(new RegExp(`^process (\\d+) of ${text}$`, 'gm'))].map(([, pid]) => pid!));
  assert.ok(processes('files').size <= availableParallelism() + 2, `${processes('files').size} processes`);
  assert.equal(processes('one file').size, 1);
  assert.ok(![...processes('one file')].some((pid) => processes('files').has(pid)));
});

test('hooks of a file are for its own tests alone', () => {
  const hooked =
    "import { beforeEach, test } from 'node:test';\nbeforeEach(() => { throw new Error('of another'); });\n" +
    "test('hooked', () => {});\n";
  const files = { 'a.test.mjs': hooked, 'b.test.mjs': passing, 'c.test.mjs': passing };
  // One process, so that it takes the others where the hook was.
  assert.deepEqual(runOver(files, 1).totals, {
    passed: 4,
    failed: 1,
    skipped: [],
    empty: [],
    unsteady: [],
  });
});

test('a file that leaves the process other than it was fails by name, and the next one does not meet it', () => {
  const leaving = `import { test } from 'node:test';
test('leaves', () => {
  process.env['LEFT'] = 'here';
  globalThis.left = 'here';
  process.on('SIGHUP', () => {});
});
`;
  const meeting = `import assert from 'node:assert/strict';
import { test } from 'node:test';
test('meets', () => assert.deepEqual([process.env['LEFT'], globalThis.left], [undefined, undefined]));
`;
  const { output, totals } = runOver({ 'a.test.mjs': leaving, 'b.test.mjs': meeting, 'c.test.mjs': meeting }, 1);
  assert.deepEqual({ passed: totals.passed, failed: totals.failed }, { passed: 3, failed: 1 });
  assert.match(output, /a\.test\.mjs leaves the process as it found it/);
  assert.match(output, /It changed process\.env\.LEFT, globalThis\.left, listeners of SIGHUP: /);
});

test('test files are found in every room, browser tests last, the largest with imports first; by a path too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'test-files-'));
  try {
    const all = [
      'src/a/b.test.ts',
      'cli/c.test.ts',
      'test/house.test.ts',
      'test/e2e/zoomed-page.e2e.ts',
      'test/e2e/page.e2e.ts',
      'test/e2e/a-tour.e2e.ts',
      'src/a/b.ts',
      'node_modules/x/src/y.test.ts',
    ];
    for (const path of all) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), '//'.repeat(path.length));
    }
    writeFileSync(join(folder, 'test/e2e/a-tour.e2e.ts'), "import { tour } from './tour.ts';\n");
    writeFileSync(join(folder, 'test/e2e/tour.ts'), `import './a-tour.e2e.ts';\n${'//'.repeat(200)}`);
    assert.deepEqual(findTestFiles(folder, []), [
      'src/a/b.test.ts',
      'cli/c.test.ts',
      'test/house.test.ts',
      'test/e2e/a-tour.e2e.ts',
      'test/e2e/zoomed-page.e2e.ts',
      'test/e2e/page.e2e.ts',
    ]);
    assert.deepEqual(findTestFiles(folder, ['./src/a']), ['src/a/b.test.ts']);
    assert.deepEqual(findTestFiles(folder, ['test/e2e/zoomed-page.e2e.ts', 'cli']), [
      'cli/c.test.ts',
      'test/e2e/zoomed-page.e2e.ts',
    ]);
    assert.deepEqual(findTestFiles(folder, ['nowhere']), []);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
