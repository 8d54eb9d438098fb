// @module-tag slow
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, test, type TestContext } from 'vitest';
import { chooseSlowTests, listSlowTests } from './choose-slow-tests.ts';

const OTHERS = Array.from({ length: 25 }, (_, index) => `src/other-${index + 10}.test.ts`);
const SLOW = '// @module-tag slow\n';
const FILES = {
  'src/list.ts': 'export const list = [];\n',
  'src/ui/page.tsx': 'export const page = 1;\n',
  'db/migrations/one.sql': 'select 1;\n',
  'test/support/app.ts': "import { list } from '../../src/list.ts';\nexport const app = list;\n",
  'test/app.test.ts': "import './support/app.ts';\ntest('x', { tags: ['slow'] }, () => {});\n",
  'test/quick.test.ts': "import './support/app.ts';\n",
  'test/e2e/page.e2e.ts': "test('x', { tag: '@slow' }, () => {});\n",
  ...Object.fromEntries(OTHERS.map((file) => [file, SLOW])),
};

/** Creates a repository whose first commit, with the files above, is two days older than the commits of `change`. */
function createRepository(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'slow-tests-'));
  t.onTestFinished(() => rmSync(root, { recursive: true }));
  const git = (args: string[], date = '') =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd: root,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    }).trim();
  const commit = (files: Record<string, string>, date: string): string => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    git(['add', '--all']);
    git(['commit', '--quiet', '--allow-empty', '--message', 'Change'], date);
    return git(['rev-parse', 'HEAD']);
  };
  git(['init', '--quiet']);
  return {
    root,
    first: commit(FILES, '2026-01-01T12:00:00Z'),
    change: (files = {}) => commit(files, '2026-01-03T12:00:00Z'),
  };
}

describe('slow tests of a change', () => {
  test('are those whose file or imports changed, directly or through another', (t) => {
    const { root, first, change } = createRepository(t);
    const commit = change({ 'src/list.ts': 'export const list = [1];\n', [OTHERS[3]!]: `${SLOW}// changed\n` });
    const chosen = chooseSlowTests({ root, base: first });
    assert.deepEqual([chosen.base, chosen.commit], [first, commit]);
    assert.deepEqual(chosen.changed, [OTHERS[3], 'test/app.test.ts']);
  });

  test('include every browser test when a screen changed', (t) => {
    const { root, first, change } = createRepository(t);
    change({ 'src/ui/page.tsx': 'export const page = 2;\n' });
    assert.deepEqual(chooseSlowTests({ root, base: first }).changed, ['test/e2e/page.e2e.ts']);
  });

  test('are all when a migration changed', (t) => {
    const { root, first, change } = createRepository(t);
    change({ 'db/migrations/two.sql': 'select 2;\n' });
    const { changed, tenth, rest } = chooseSlowTests({ root, base: first });
    assert.deepEqual([changed, tenth, rest], [listSlowTests(root), [], []]);
    assert.equal(changed.length, OTHERS.length + 2);
  });

  test('include a tenth of the others, the same for a commit and another for the next', (t) => {
    const { root, change } = createRepository(t);
    const choose = (base: string) => chooseSlowTests({ root, base });
    const { tenth, rest, changed } = choose(change());
    assert.deepEqual([tenth.length, rest.length, changed.length], [3, OTHERS.length + 2 - 3, 0]);
    assert.deepEqual([...tenth, ...rest].sort(), listSlowTests(root));
    assert.deepEqual(choose('HEAD').tenth, tenth);
    const tenths = [tenth, choose(change()).tenth, choose(change({ 'README.md': 'Tally' })).tenth];
    assert.ok(new Set(tenths.map(String)).size > 1, String(tenths));
  });
});

describe('the change', () => {
  test('is what was committed in the last day when the base is absent or unknown', (t) => {
    const { root, first, change } = createRepository(t);
    change({ 'src/list.ts': 'export const list = [1];\n' });
    change({ 'src/list.ts': 'export const list = [2];\n' });
    for (const base of ['', '0'.repeat(40)]) assert.equal(chooseSlowTests({ root, base }).base, first);
  });

  test('is everything when the history is younger than a day', (t) => {
    const { root } = createRepository(t);
    assert.deepEqual(chooseSlowTests({ root }).changed, listSlowTests(root));
  });
});
