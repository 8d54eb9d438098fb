import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inspectWith } from './support/house-tree.ts';

const imports = (target: string): string => `import '${target}';\n`;
const lines = (count: number): string => 'export {};\n'.repeat(count);
/** Written in pieces, so that this file itself holds neither. */
const homeOfSomebody = ['', 'home', 'ann', 'tally'].join('/');
const leftToDo = ['TO', 'DO'].join('');
const command = (name: string): string => ['npm', 'run', name].join(' ');

/** Without its header, which names a command. */
const schema = readFileSync(new URL('../db/schema.sql', import.meta.url), 'utf8').replace(/^--.*\n/gm, '');
const sql = (place: string, text: string) => ({ [`src/${place}/queries.ts`]: `export const q = '${text}';\n` });

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
  [
    "a slice reads another's table",
    sql('watchlist', 'select id from public.accounts'),
    'src/watchlist/queries.ts:1 [tables]',
  ],
  [
    "a slice reads another's table by its bare name",
    sql('watchlist', 'select tier from public.plans join accounts a on true'),
    'src/watchlist/queries.ts:1 [tables] names public.accounts',
  ],
  [
    'a slice writes what it may read',
    sql('watchlist', 'update public.plans set tier = 1'),
    'src/watchlist/queries.ts:1 [tables] writes public.plans',
  ],
  [
    "a slice calls another's function",
    sql('watchlist', 'select public.net_worth_of($1)'),
    'src/watchlist/queries.ts:1 [tables]',
  ],
  [
    'a shared room reads what a slice offers to slices',
    sql('market-data', 'select symbol from public.held_positions'),
    'src/market-data/queries.ts:1 [tables]',
  ],
  [
    "a slice names another's column in a table",
    sql('identity', 'select referral_link from public.all_users'),
    'src/identity/queries.ts:1 [tables]',
  ],
  [
    'a table without an owner',
    sql('watchlist', 'select id from public.nowhere'),
    'src/watchlist/queries.ts:1 [tables]',
  ],
  [
    'a fragment of SQL beside queries.ts names a foreign table',
    { 'src/watchlist/fragments.ts': 'export const f = `mine as (select id from public.accounts)`;\n' },
    'src/watchlist/fragments.ts:1 [tables]',
  ],
  [
    'a table of the database without an owner',
    { 'db/schema.sql': `${schema}\ncreate table public.orphans (\n);\n` },
    'db/schema.sql:',
  ],
  [
    "a function of the database reads another owner's table",
    { 'db/schema.sql': schema.replace(/(?<=FUNCTION public\.tier_of[^]*?)public\.subscriptions/, 'public.accounts') },
    'db/schema.sql:',
  ],
  [
    'an owner of a table that is gone',
    { 'db/schema.sql': schema.replace('create table public.plans', 'create table public.tiers_no_more') },
    'scripts/house/table-owners.ts [tables]',
  ],
  [
    'an export that no file imports',
    { 'src/watchlist/routes.ts': 'console.log(1);\nexport const unused = 2;\n' },
    'src/watchlist/routes.ts:2 [exports]',
  ],
  [
    'a part of a pattern that no file imports',
    {
      'src/watchlist/a.ts': 'export const { one, two: [three] } = { one: 1, two: [3] };\n',
      'src/watchlist/b.ts': "import { one } from './a.ts';\nconsole.log(one);\n",
    },
    'src/watchlist/a.ts:1 [exports] exports three',
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
  [
    'a title that numbers a list elsewhere',
    { 'test/a.test.ts': `import { test } from 'node:test';\ntest('${'pitfall'} 7: pence become pounds', () => {});\n` },
    'test/a.test.ts:2 [elsewhere]',
  ],
  ['a path of one machine', { 'docs/setup.md': `cd ${homeOfSomebody}\n` }, 'docs/setup.md:1 [machine-paths]'],
  [
    'a lock file that names a registry',
    { 'package-lock.json': '{ "resolved": "https://packages.example/a.tgz" }' },
    'package-lock.json [registry-hosts]',
  ],
  [
    'a line that one cannot read without scrolling',
    { 'scripts/run.sh': `echo ${'very '.repeat(24)}long\n` },
    'scripts/run.sh:1 [lines]',
  ],
  [
    'a page that names a command which is not there',
    { 'docs/setup.md': `Then ${command('brew')}.\n` },
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
  const text = `// Generated by tools/generate.ts; do not edit.\n${lines(900)}`;
  assert.deepEqual(inspectWith({ 'src/watchlist/table.ts': text }), []);
});
