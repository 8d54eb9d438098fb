import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Programs that read their arguments otherwise. */
const OTHERS: Readonly<Record<string, string>> = {
  'bench/main.ts': 'passes them to the named benchmark',
  'tools/dev.ts': 'passes those of the debugger to Node',
  'tools/dev/serve.ts': 'is started by tools/dev.ts alone',
  'tools/screens.ts': 'passes them to Playwright',
};

const isProgram = (file: string): boolean => /import\.meta\.main/.test(read(file)) || !/^export /m.test(read(file));
const programs = globSync(['tools/**/*.ts', 'bench/*.ts'], { cwd: root }).filter(
  (file) => !/\.(test|d)\.ts$/.test(file) && isProgram(file),
);

test('every tool and benchmark says how to call it when an option is wrong', () => {
  assert.ok(programs.length > 15);
  for (const file of programs)
    assert.deepEqual(
      [/\bparseOptions\(/.test(read(file)), /process\.argv/.test(read(file))],
      file in OTHERS ? [false, true] : [true, false],
      file,
    );
});

test('every script of package.json runs a program that says how to call it', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const files = Object.values(scripts).flatMap((script) => script.match(/[\w/-]+\.ts\b/g) ?? []);
  assert.ok(files.length > 10);
  for (const file of files) assert.ok(programs.includes(file), file);
});

test.each(['tools/build-release.ts', 'tools/check-release.ts'])(
  'prints the usage of %s when it is asked for or an option is wrong',
  (file) => {
    const run = (argument: string) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [file, argument], { cwd: root, encoding: 'utf8' });
      return { status, lines: `${stdout}${stderr}`.trimEnd().split('\n') };
    };
    const help = run('--help');
    assert.deepEqual([help.status, help.lines.length], [0, 1], help.lines.join('\n'));
    assert.match(help.lines[0]!, /^usage: np[mx] /);
    const wrong = run('--nonsense');
    assert.equal(wrong.status, 2);
    assert.ok(wrong.lines.length <= 2, wrong.lines.join('\n'));
    assert.match(wrong.lines[0]!, /--nonsense/);
  },
);
