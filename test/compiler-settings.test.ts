// @module-tag slow
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, test } from 'vitest';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('..', import.meta.url));
const roots: string[] = [];
afterAll(() => roots.forEach((root) => rmSync(root, { recursive: true })));

/** A source tree that compiles. Each test below breaks one place of the tree. */
const sound: Record<string, string> = {
  'package.json': '{ "type": "module" }',
  'src/features/referrals/contract.ts': 'export interface Stats {\n  count: number;\n}\n',
  'src/features/referrals/routes.ts':
    "import type { Stats } from './contract.ts';\nexport const stats = (): Stats => ({ count: process.pid });\n",
  'src/features/referrals/ui/card.tsx':
    "import type { Stats } from '../contract.ts';\nexport function show(stats: Stats): void {\n" +
    '  document.title = String(stats.count);\n}\n',
  'src/ui/shell/route-paths.ts': "export const routePaths = ['/'];\n",
  'packages/token-counter/src/index.ts': 'export const countText = (text: string) => text.length;\n',
  'src/features/referrals/routes.test.ts':
    "import { stats } from './routes.ts';\nimport { show } from './ui/card.tsx';\nshow(stats());\nprocess.exit();\n",
};

/** Writes the tree with `changes` on top and this repository's settings, and returns its folder. */
function plant(changes: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'compiler-settings-'));
  roots.push(root);
  for (const settings of ['tsconfig.json', 'tsconfig', '.oxlintrc.json', 'tools/check/shape-rules.mjs'])
    cpSync(join(repository, settings), join(root, settings), { recursive: true });
  // Links only the types of the platform. The compiler caches in node_modules, so this tree needs its own folder.
  mkdirSync(join(root, 'node_modules'));
  symlinkSync(join(repository, 'node_modules/@types'), join(root, 'node_modules/@types'), 'junction');
  for (const [path, text] of Object.entries({ ...sound, ...changes })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

function run(tool: string, args: readonly string[], cwd: string): string {
  const { stdout, stderr } = spawnSync(process.execPath, [join(repository, 'node_modules', tool), ...args], {
    cwd,
    encoding: 'utf8',
    // The linter finds its type checker on the PATH.
    env: { ...process.env, PATH: `${join(repository, 'node_modules/.bin')}${delimiter}${process.env['PATH']}` },
  });
  return stdout + stderr;
}

test('reports errors that only the types reveal when it lints', () => {
  const root = plant({
    'src/features/referrals/floating.ts': "import { writeFile } from 'node:fs/promises';\nwriteFile('a', 'b');\n",
    'src/features/referrals/misused.ts':
      "import { createServer } from 'node:http';\ncreateServer(async () => Promise.reject(new Error()));\n",
    'src/features/referrals/printed.ts': 'export const text = (things: object) => String(things);\n',
    'src/features/referrals/unfinished.ts':
      "export function say(word: 'a' | 'b'): void {\n  switch (word) {\n    case 'a':\n" +
      "      process.stdout.write('a');\n  }\n}\n",
  });
  const output = run('oxlint/bin/oxlint', ['--quiet', '--format', 'unix'], root);
  const found = [...output.matchAll(/^(\S+?):\d+:\d+: .*\[Error\/(.*)\]$/gm)].map(
    ([, path, rule]) => `${path} ${rule}`,
  );
  assert.deepEqual(found.sort(), [
    'src/features/referrals/floating.ts typescript(no-floating-promises)',
    'src/features/referrals/misused.ts typescript(no-misused-promises)',
    'src/features/referrals/printed.ts typescript(no-base-to-string)',
    'src/features/referrals/unfinished.ts typescript(switch-exhaustiveness-check)',
  ]);
});

test('fails to lint a file that bypasses settings, import rules or the order of app.ts', () => {
  const root = plant({
    'src/app.ts':
      'export const createApp = (parts: { find: () => void }[]) => {\n  const early = () => late.push(1);\n' +
      '  const late = [early] as unknown[];\n  const list = [(n: number) => n && find()];\n' +
      '  const [{ find }] = parts as never;\n  let page;\n  page = late;\n  page = list;\n  return [late, list, page];\n};\n',
    'src/config/load-config.ts': 'export const port = process.env.PORT;\n',
    'src/features/referrals/by-environment.ts': "export const all = [process.env, process['env']];\n",
    'src/features/referrals/by-name.ts': 'export const load = (name: string) => import(name);\n',
    'src/features/referrals/by-type.ts': "export type Stats = import('./contract.ts').Stats;\n",
    'src/features/referrals/by-prefix.ts': "export { readFile } from 'fs';\n",
    'src/features/referrals/left-open.ts': `// ${'TO'}DO: later\nexport const open = 1;\n`,
  });
  const output = run('oxlint/bin/oxlint', ['--quiet', '--format', 'unix'], root);
  const found = [...output.matchAll(/^(\S+?):(\d+):\d+: .*\[Error\/(.*)\]$/gm)].map((match) =>
    match.slice(1).join(' '),
  );
  assert.deepEqual(found.sort(), [
    'src/app.ts 2 eslint(no-use-before-define)',
    'src/app.ts 4 eslint(no-use-before-define)',
    'src/app.ts 6 eslint(init-declarations)',
    'src/features/referrals/by-environment.ts 1 node(no-process-env)',
    'src/features/referrals/by-environment.ts 1 node(no-process-env)',
    'src/features/referrals/by-name.ts 1 import(no-dynamic-require)',
    'src/features/referrals/by-prefix.ts 1 unicorn(prefer-node-protocol)',
    'src/features/referrals/by-type.ts 1 typescript(consistent-type-imports)',
    'src/features/referrals/left-open.ts 1 eslint(no-warning-comments)',
  ]);
});
