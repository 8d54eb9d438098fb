import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inspect } from '../scripts/house/inspect.ts';
import { inOneLine } from '../scripts/house/problem.ts';

/** A tree as the house wants it; each case below spoils it in one place. */
const sound: Record<string, string> = {
  'package.json':
    '{ "scripts": { "lab": "", "bench": "" }, "dependencies": { "zod": "4.6.7", "fastify": "5.12.8" }, "devDependencies": { "react": "19.3.1" } }',
  'package-lock.json': '{ "packages": {} }',
  'bench/package.json': '{ "dependencies": { "peer": "1.0.0" } }',
  'bench/text.ts': "import 'peer';\n",
  'src/app.ts':
    "import { addReferralRoutes } from './referrals/routes.ts';\nimport { connect } from './database/connect.ts';\nexport const createApp = () => [addReferralRoutes, connect];\n",
  'src/main.ts':
    "import { createApp } from './app.ts';\nimport { config } from './config.ts';\ncreateApp().push(config as never);\n",
  'src/config.ts': "import { z } from 'zod';\nexport const config = z.object({}).parse(process.env);\n",
  'src/errors.ts': 'export class Failure extends Error {}\n',
  'src/database/connect.ts': "export const connect = () => 'select 1 from pg_class';\n",
  'src/identity/session.ts': "import { connect } from '../database/connect.ts';\nexport const session = connect;\n",
  'src/referrals/contract.ts': "import { z } from 'zod';\nexport const stats = z.object({});\n",
  'src/referrals/routes.ts':
    "import 'fastify';\nimport { Failure } from '../errors.ts';\nimport { session } from '../identity/session.ts';\nimport { stats } from './contract.ts';\nexport const addReferralRoutes = [Failure, session, stats];\n",
  'src/referrals/routes.test.ts': "import { createApp } from '../app.ts';\ncreateApp();\n",
  'src/referrals/queries.ts': "export const find = 'select id from referrals';\n",
  'src/referrals/cli.ts': "import { find } from './queries.ts';\nexport const command = find;\n",
  'src/referrals/web/card.tsx':
    "import 'react';\nimport { stats } from '../contract.ts';\nimport { Button } from '../../web/ui/button.tsx';\nexport const card = [stats, Button];\n",
  'src/web/ui/button.tsx': 'export const Button = () => <button type="button" />;\n',
  'src/web/main.tsx': "import { card } from '../referrals/web/card.tsx';\nexport const app = card;\n",
  'src/watchlist/routes.ts': 'export const routes = 1;\n',
  'src/watchlist/contract.ts': "import { stats } from '../referrals/contract.ts';\nexport const item = stats;\n",
  'src/token-counting/counter/index.ts': "export { countText } from './count-text.ts';\n",
  'src/token-counting/counter/count-text.ts': 'export const countText = (text: string) => text.length;\n',
  'cli/main.ts': "import { command } from '../src/referrals/cli.ts';\nexport const commands = [command];\n",
  'test/support/race.ts': "export const other = new URL('cluster.ts', import.meta.url);\n",
  'test/support/cluster.ts': 'export const cluster = 1;\n',
};

/** Inspects the sound tree, as a repository, with `changes` written over it. */
function inspectWith(changes: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'house-'));
  try {
    if ('.gitignore' in changes) spawnSync('git', ['init', '-q', root]);
    for (const [path, text] of Object.entries({ ...sound, ...changes })) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return inspect(root).problems.map(inOneLine);
  } finally {
    rmSync(root, { recursive: true });
  }
}

const imports = (target: string): string => `import '${target}';\n`;
const lines = (count: number): string => 'export {};\n'.repeat(count);
/** Written in pieces, so that this file itself holds neither. */
const homeOfSomebody = ['', 'home', 'ann', 'tally'].join('/');
const leftToDo = ['TO', 'DO'].join('');
const command = (name: string): string => ['npm', 'run', name].join(' ');

/** What is spoilt → the path and the rule that must be named. */
const spoilt: [what: string, changes: Record<string, string>, expected: string][] = [
  [
    'a slice imports another slice',
    { 'src/watchlist/routes.ts': imports('../referrals/queries.ts') },
    'src/watchlist/routes.ts:1 [walls]',
  ],
  [
    'a slice imports another slice for types only',
    { 'src/watchlist/routes.ts': "import type { A } from '../referrals/queries.ts';\nexport type B = A;\n" },
    'src/watchlist/routes.ts:1 [walls]',
  ],
  [
    'a slice imports another slice inside a type',
    { 'src/watchlist/routes.ts': "export type B = import('../referrals/queries.ts').A;\n" },
    'src/watchlist/routes.ts:1 [walls]',
  ],
  [
    'a slice imports another slice lazily',
    { 'src/watchlist/routes.ts': "export const late = () => import('../referrals/queries.ts');\n" },
    'src/watchlist/routes.ts:1 [walls]',
  ],
  [
    'a slice starts another slice as a worker',
    { 'src/watchlist/routes.ts': "export const at = new URL('../referrals/queries.ts', import.meta.url);\n" },
    'src/watchlist/routes.ts:1 [walls]',
  ],
  [
    'a slice imports a computed name',
    { 'src/watchlist/routes.ts': 'export const late = (name: string) => import(name);\n' },
    'src/watchlist/routes.ts:1 [walls]',
  ],
  [
    'a slice imports the settings',
    { 'src/watchlist/routes.ts': imports('../config.ts') },
    'src/watchlist/routes.ts:1 [walls]',
  ],
  ['a slice imports the app', { 'src/watchlist/routes.ts': imports('../app.ts') }, 'src/watchlist/routes.ts:1 [walls]'],
  [
    'app.ts hands over a function of what is made further down',
    {
      'src/app.ts':
        "import { addReferralRoutes } from './referrals/routes.ts';\nexport const createApp = () => {\n  const early = () => late.push(1);\n  const late = [addReferralRoutes, early] as unknown[];\n  return late;\n};\n",
    },
    'src/app.ts:3 [app]',
  ],
  [
    'app.ts hands over a function that was taken apart further down',
    {
      'src/app.ts':
        'export const createApp = (rooms: { find: () => void }[]) => {\n  const list = { early: (n: number) => n && find() };\n  const [{ find }] = rooms as never;\n  return [list];\n};\n',
    },
    'src/app.ts:2 [app]',
  ],
  [
    'app.ts fills something in later',
    {
      'src/app.ts':
        'export const createApp = () => {\n  const room = { app: 0 };\n  room.app = 1;\n  return [room];\n};\n',
    },
    'src/app.ts:3 [app]',
  ],
  [
    'app.ts keeps a place to fill in',
    { 'src/app.ts': 'export const createApp = () => {\n  let page;\n  return [() => page];\n};\n' },
    'src/app.ts:2 [app]',
  ],
  [
    'app.ts is no list any more',
    { 'src/app.ts': `export const createApp = () => [];\n${lines(200)}` },
    'src/app.ts [app]',
  ],
  [
    'the shape of a slice knows one of them',
    { 'src/slice.ts': "import type { find } from './referrals/queries.ts';\nexport type Slice = typeof find;\n" },
    'src/slice.ts:1 [walls]',
  ],
  [
    'a slice imports its screens',
    { 'src/referrals/queries.ts': imports('./web/card.tsx') },
    'src/referrals/queries.ts:1 [walls]',
  ],
  [
    "a slice imports a test's support",
    { 'src/watchlist/routes.ts': imports('../../test/support/cluster.ts') },
    'src/watchlist/routes.ts:1 [walls]',
  ],
  [
    'a slice imports a test',
    { 'src/referrals/queries.ts': imports('./routes.test.ts') },
    'src/referrals/queries.ts:1 [walls]',
  ],
  [
    "a slice's test looks into another slice",
    { 'src/referrals/routes.test.ts': imports('../watchlist/routes.ts') },
    'src/referrals/routes.test.ts:1 [walls]',
  ],
  [
    'a contract imports what acts',
    { 'src/watchlist/contract.ts': imports('./routes.ts') },
    'src/watchlist/contract.ts:1 [walls]',
  ],
  [
    'a contract imports a package',
    { 'src/watchlist/contract.ts': imports('fastify') },
    'src/watchlist/contract.ts:1 [packages]',
  ],
  [
    'a screen imports the server',
    { 'src/referrals/web/card.tsx': imports('../queries.ts') },
    'src/referrals/web/card.tsx:1 [walls]',
  ],
  [
    "a screen imports another slice's screens",
    { 'src/watchlist/web/card.tsx': imports('../../referrals/web/card.tsx') },
    'src/watchlist/web/card.tsx:1 [walls]',
  ],
  [
    "another slice's screen imports the counter",
    { 'src/referrals/web/card.tsx': imports('../../token-counting/counter/index.ts') },
    'src/referrals/web/card.tsx:1 [walls]',
  ],
  [
    'a screen imports the shell',
    { 'src/referrals/web/card.tsx': imports('../../web/main.tsx') },
    'src/referrals/web/card.tsx:1 [walls]',
  ],
  [
    'a screen imports a server package',
    { 'src/referrals/web/card.tsx': imports('fastify') },
    'src/referrals/web/card.tsx:1 [packages]',
  ],
  [
    'a screen imports Node',
    { 'src/referrals/web/card.tsx': imports('node:fs') },
    'src/referrals/web/card.tsx:1 [packages]',
  ],
  [
    'a primitive imports a screen',
    { 'src/web/ui/button.tsx': imports('../../referrals/web/card.tsx') },
    'src/web/ui/button.tsx:1 [walls]',
  ],
  [
    'the shell imports the server',
    { 'src/web/main.tsx': imports('../database/connect.ts') },
    'src/web/main.tsx:1 [walls]',
  ],
  [
    'a room imports a slice',
    { 'src/identity/session.ts': imports('../referrals/queries.ts') },
    'src/identity/session.ts:1 [walls]',
  ],
  [
    'a room imports another room',
    { 'src/jobs/worker.ts': imports('../identity/session.ts') },
    'src/jobs/worker.ts:1 [walls]',
  ],
  [
    'the counter imports its slice',
    { 'src/token-counting/contract.ts': '', 'src/token-counting/counter/count-text.ts': imports('../contract.ts') },
    'src/token-counting/counter/count-text.ts:1 [walls]',
  ],
  [
    'the counter imports Node',
    { 'src/token-counting/counter/count-text.ts': imports('node:zlib') },
    'src/token-counting/counter/count-text.ts:1 [packages]',
  ],
  [
    "the command line imports a slice's inside",
    { 'cli/main.ts': imports('../src/referrals/queries.ts') },
    'cli/main.ts:1 [walls]',
  ],
  [
    'a slice imports what its command stands on',
    { 'src/command-line.ts': '', 'src/referrals/queries.ts': imports('../command-line.ts') },
    'src/referrals/queries.ts:1 [walls]',
  ],
  [
    'what commands stand on imports a room',
    { 'src/command-line.ts': imports('./database/connect.ts') },
    'src/command-line.ts:1 [walls]',
  ],
  [
    "a slice's command imports another slice",
    { 'src/referrals/cli.ts': imports('../watchlist/routes.ts') },
    'src/referrals/cli.ts:1 [walls]',
  ],
  ['the settings import a slice', { 'src/config.ts': imports('./referrals/contract.ts') }, 'src/config.ts:1 [walls]'],
  ['a folder is no room of the house', { 'src/payments/routes.ts': '' }, 'src/payments/routes.ts [walls]'],
  ['a file wires things beside app.ts', { 'src/wiring.ts': '' }, 'src/wiring.ts [walls]'],
  [
    'two files import each other',
    { 'src/watchlist/routes.ts': imports('./lock-rows.ts'), 'src/watchlist/lock-rows.ts': imports('./routes.ts') },
    'src/watchlist/lock-rows.ts [cycles]',
  ],
  [
    'three files import each other for types',
    {
      'src/watchlist/a.ts': "import type { C } from './b.ts';\nexport type A = C;\n",
      'src/watchlist/b.ts': "import type { D } from './c.ts';\nexport type C = D;\n",
      'src/watchlist/c.ts': "import type { A } from './a.ts';\nexport type D = A;\n",
    },
    'src/watchlist/a.ts [cycles]',
  ],
  [
    'a package that no manifest lists',
    { 'src/watchlist/routes.ts': imports('pino') },
    'src/watchlist/routes.ts:1 [packages]',
  ],
  [
    'a service that needs a devDependency',
    { 'src/watchlist/routes.ts': imports('react') },
    'src/watchlist/routes.ts:1 [packages]',
  ],
  [
    'a test that needs what only benchmarks install',
    { 'test/a.test.ts': imports('peer') },
    'test/a.test.ts:1 [packages]',
  ],
  [
    'a module of Node without its prefix',
    { 'src/watchlist/routes.ts': imports('fs') },
    'src/watchlist/routes.ts:1 [packages]',
  ],
  [
    'settings read elsewhere',
    { 'src/watchlist/routes.ts': 'export const port = process.env.PORT;\n' },
    'src/watchlist/routes.ts:1 [environment]',
  ],
  [
    'settings read elsewhere by a string',
    { 'src/watchlist/routes.ts': "export const all = process['env'];\n" },
    'src/watchlist/routes.ts:1 [environment]',
  ],
  [
    'SQL outside queries.ts',
    { 'src/watchlist/routes.ts': 'export const rows = `\n  select id\n  from watchlist_items where idp_id = ${1}`;\n' },
    'src/watchlist/routes.ts:1 [sql]',
  ],
  [
    'an insert outside queries.ts',
    { 'src/watchlist/routes.ts': "export const add = 'INSERT INTO watchlist_items VALUES (1)';\n" },
    'src/watchlist/routes.ts:1 [sql]',
  ],
  ['a barrel', { 'src/watchlist/all.ts': "export * from './routes.ts';\n" }, 'src/watchlist/all.ts:1 [barrels]'],
  ['an index file', { 'src/watchlist/index.ts': 'export const a = 1;\n' }, 'src/watchlist/index.ts [barrels]'],
  ['a file of 401 lines', { 'src/watchlist/routes.ts': lines(401) }, 'src/watchlist/routes.ts [sizes]'],
  [
    'files that are long on the whole',
    Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`src/watchlist/f${i}.ts`, lines(81)])),
    'src [sizes] the median',
  ],
  [
    'many files that are very long',
    Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`src/watchlist/f${i}.ts`, lines(201)])),
    'src [sizes] the p90',
  ],
  ['a vague file name', { 'src/watchlist/row-utils.ts': '' }, 'src/watchlist/row-utils.ts [words]'],
  ['a vague folder name', { 'src/watchlist/common/rows.ts': '' }, 'src/watchlist/common/rows.ts [words]'],
  [
    'work left undone',
    { 'src/watchlist/routes.ts': `// ${leftToDo}: later\n` },
    'src/watchlist/routes.ts:1 [unfinished]',
  ],
  [
    'a user told that something is missing',
    { 'src/watchlist/routes.ts': "export const answer = 'not implemented';\n" },
    'src/watchlist/routes.ts:1 [unfinished]',
  ],
  ['a long remark', { 'src/watchlist/routes.ts': '// 1\n// 2\n// 3\n// 4\n' }, 'src/watchlist/routes.ts:1 [remarks]'],
  [
    'a test run alone',
    { 'test/a.test.ts': "import { test } from 'node:test';\ntest.only('a', () => {});\n" },
    'test/a.test.ts:2 [switched-off]',
  ],
  [
    'a test switched off by an option',
    { 'test/a.test.ts': "import { test } from 'node:test';\ntest('a', { skip: true }, () => {});\n" },
    'test/a.test.ts:2 [switched-off]',
  ],
  ['a path of one machine', { 'docs/setup.md': `cd ${homeOfSomebody}\n` }, 'docs/setup.md:1 [machine-paths]'],
  [
    'a lock file that names a registry',
    { 'package-lock.json': '{ "resolved": "https://packages.example/a.tgz" }' },
    'package-lock.json [registry-hosts]',
  ],
  [
    'a page that names a command which is not there',
    { 'docs/setup.md': `Then ${command('brew')}.\n` },
    'docs/setup.md:1 [commands]',
  ],
  [
    'a page that names a proof which is not there',
    { 'docs/setup.md': `Then ${command('lab -- brew 100')}.\n` },
    'docs/setup.md:1 [commands]',
  ],
  [
    'a comment that names a benchmark which is not there',
    { 'bench/text.ts': `import 'peer';\n// ${command('bench -- brew')}\n` },
    'bench/text.ts:2 [commands]',
  ],
  [
    'code that git ignores',
    { '.gitignore': 'data/\n', 'src/watchlist/data/rows.ts': '' },
    'src/watchlist/data/rows.ts [ignored]',
  ],
  [
    'a file that does not parse',
    { 'src/watchlist/routes.ts': 'export const = 1;\n' },
    'src/watchlist/routes.ts [syntax]',
  ],
];

test('a sound tree has no broken rule', () => {
  assert.deepEqual(inspectWith({}), []);
});

for (const [what, changes, expected] of spoilt) {
  test(`the house reports: ${what}`, () => {
    const found = inspectWith(changes);
    const reports = found.filter((problem) => problem.startsWith(expected));
    assert.equal(reports.length, 1, `expected ${expected} once, found:\n${found.join('\n')}`);
  });
}

test('generated files may be long when their header names the command', () => {
  const text = `// Generated by scripts/generate.ts; do not edit.\n${lines(900)}`;
  assert.deepEqual(inspectWith({ 'src/watchlist/table.ts': text }), []);
});

test('the project itself has no broken rule', () => {
  assert.deepEqual(inspect(fileURLToPath(new URL('..', import.meta.url))).problems.map(inOneLine), []);
});
