import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, test } from 'vitest';

const repository = join(import.meta.dirname, '../..');

/** A tree of files whose imports every rule allows. */
const allowed: Record<string, string> = {
  'package.json': '{ "type": "module", "devDependencies": { "tool": "1.0.0" } }',
  'node_modules/tool/package.json': '{ "name": "tool", "version": "1.0.0", "main": "index.js" }',
  'node_modules/tool/index.js': '',
  'src/command-line.ts': '',
  'src/features/watchlist/cli.ts': "import '../../command-line.ts';\n",
  'src/features/watchlist/items-cli.ts': "import '../../command-line.ts';\n",
  'src/main.ts': "import './app.ts';\n",
  'src/app.ts':
    "import './features/watchlist/routes.ts';\nimport './platform/identity/session.ts';\nimport './embedded/bank/bank.ts';\n",
  'src/config/load-config.ts': '',
  'src/features/watchlist/routes.ts':
    "import './queries.ts';\nimport '../../platform/identity/session.ts';\nimport './contract.ts';\n",
  'src/features/watchlist/queries.ts': 'export type Row = 1;\n',
  'src/features/watchlist/contract.ts': '',
  'src/features/watchlist/ui/card.tsx':
    "import '../contract.ts';\nimport '../../../ui/kit/button.tsx';\nimport '../../../ui/shell/session/session.ts';\n",
  'src/features/referrals/queries.ts': 'export type Row = 1;\nexport const rows = [1];\n',
  'src/features/referrals/contract.ts': '',
  'src/market-data/contract.ts': '',
  'src/market-data/market-data.ts': "import './services/prices.ts';\n",
  'src/market-data/services/prices.ts':
    "import '../providers/chain.ts';\nimport '../../platform/database/connect.ts';\n",
  'src/market-data/services/history/closes.ts': "import '../shared/context.ts';\n",
  'src/market-data/services/shared/context.ts': '',
  'src/market-data/services/catalog/b.ts': "import '../history/closes.ts';\n",
  'src/market-data/providers/chain.ts': "import '../domain/dates.ts';\n",
  'src/market-data/providers/fmp/fmp.ts': '',
  'src/market-data/domain/dates.ts': '',
  'src/platform/identity/session.ts': "import '../database/connect.ts';\n",
  'src/platform/database/connect.ts': '',
  'src/embedded/bank/bank.ts': "import '../../platform/database/connect.ts';\n",
  'src/embedded/bank/bank.test.ts': "import './bank.ts';\n",
  'src/features/referrals/ui/card.tsx': '',
  'src/features/securities/ui/shared/logo.tsx': '',
  'src/features/watchlist/ui/shared/row.tsx': '',
  'src/features/watchlist/ui/row.tsx': "import '../../securities/ui/shared/logo.tsx';\n",
  'src/features/portfolio/portfolio.ts': "import './dashboard/b.ts';\n",
  'src/features/portfolio/dashboard/b.ts': "import '../import/b.ts';\n",
  'src/features/portfolio/import/b.ts': "import '../accounts/b.ts';\n",
  'src/features/portfolio/accounts/b.ts': "import '../holdings/b.ts';\n",
  'src/features/portfolio/holdings/b.ts': "import '../net-worth/b.ts';\n",
  'src/features/portfolio/net-worth/b.ts': '',
  'src/ui/shell/session/session.ts': '',
  'src/ui/shell/routes/routes.tsx': "import '../../../features/referrals/ui/card.tsx';\n",
  'src/ui/kit/button.tsx': 'export const Button = <T,>({ name }: { name: T }) => <b>{String(name)}</b>;\n',
  'packages/token-counter/src/index.ts': '',
  'packages/token-counter/data/pieces.ts': '',
  'test/support/cluster.ts': '',
};

const LOAD_ROWS = "import { rows } from '../referrals/queries.ts';\nrows.pop();\n";

/** Files with one forbidden import each, and the rule that the import breaks. */
const forbidden: [path: string, text: string, rule: string][] = [
  ['src/features/watchlist/a.ts', LOAD_ROWS, 'features-meet-in-app'],
  [
    'src/features/watchlist/b.ts',
    "import type { Row } from '../referrals/queries.ts';\nexport type B = Row;\n",
    'features-meet-in-app',
  ],
  [
    'src/features/watchlist/c.ts',
    "export const load = () => import('../referrals/queries.ts');\n",
    'features-meet-in-app',
  ],
  [
    'src/features/watchlist/d.ts',
    "{\n  using lock = { [Symbol.dispose]() {} };\n  await import('../referrals/queries.ts');\n}\n",
    'features-meet-in-app',
  ],
  ['src/features/watchlist/e.ts', "import '../../config/load-config.ts';\n", 'no-wiring-in-folders'],
  ['src/features/watchlist/f.ts', "import './ui/card.tsx';\n", 'no-screens-in-server'],
  ['src/features/watchlist/g.ts', "import '../../../test/support/cluster.ts';\n", 'no-tools-in-product'],
  ['src/features/watchlist/h.ts', "export * from './queries.ts';\n", 'no-re-export'],
  ['src/features/watchlist/i.ts', "import './nowhere.ts';\n", 'resolvable'],
  ['src/features/watchlist/j.test.ts', "import '../referrals/queries.ts';\n", 'test-of-its-own-feature'],
  [
    'src/features/portfolio/accounts/contract.ts',
    "import '../../watchlist/routes.ts';\n",
    'contract-imports-contracts',
  ],
  ['src/features/portfolio/net-worth/a.ts', "import '../holdings/b.ts';\n", 'portfolio-folders-one-way'],
  ['src/features/portfolio/holdings/a.ts', "import '../accounts/b.ts';\n", 'portfolio-folders-one-way'],
  ['src/features/portfolio/accounts/a.ts', "import '../import/b.ts';\n", 'portfolio-folders-one-way'],
  ['src/features/portfolio/import/a.ts', "import '../dashboard/b.ts';\n", 'portfolio-folders-one-way'],
  ['src/features/portfolio/dashboard/a.ts', "import '../portfolio.ts';\n", 'portfolio-folders-one-way'],
  [
    'src/features/watchlist/ui/a.tsx',
    "import '../queries.ts';\nexport const A = () => <b>a</b>;\n",
    'screens-import-contracts',
  ],
  [
    'src/features/watchlist/ui/b.tsx',
    "import { readFile } from 'node:fs';\nvoid readFile;\n",
    'no-server-package-in-browser',
  ],
  ['src/ui/kit/a.tsx', "import '../../features/watchlist/ui/card.tsx';\n", 'kit-knows-no-screen'],
  ['src/ui/shell/a.tsx', "import '../../platform/database/connect.ts';\n", 'shell-imports-screens'],
  ['src/ui/shell/session/a.tsx', "import '../../../features/watchlist/ui/card.tsx';\n", 'routes-compose-screens'],
  ['src/features/watchlist/ui/c.tsx', "import '../../referrals/ui/card.tsx';\n", 'screens-import-contracts'],
  ['src/features/settings/ui/a.tsx', "import '../../watchlist/ui/card.tsx';\n", 'screens-import-contracts'],
  ['src/features/watchlist/ui/d.tsx', "import '../../../ui/shell/routes/routes.tsx';\n", 'screens-import-contracts'],
  ['src/features/securities/ui/a.tsx', "import '../../watchlist/ui/shared/row.tsx';\n", 'shared-screens-one-way'],
  ['src/features/securities/b.ts', "import './ui/shared/logo.tsx';\n", 'no-screens-in-server'],
  ['src/ui/kit/b.tsx', "import '../../features/watchlist/contract.ts';\n", 'kit-knows-no-screen'],
  ['src/platform/identity/a.ts', "import '../../features/watchlist/queries.ts';\n", 'platform-knows-no-feature'],
  ['src/market-data/a.ts', "import '../features/watchlist/queries.ts';\n", 'market-data-imports-platform'],
  ['src/market-data/domain/a.ts', "import '../providers/chain.ts';\n", 'market-data-domain-is-lowest'],
  ['src/market-data/domain/b.ts', "import 'node:fs';\n", 'market-data-domain-is-lowest'],
  ['src/market-data/providers/a.ts', "import '../services/prices.ts';\n", 'providers-import-domain'],
  ['src/market-data/services/a.ts', "import '../market-data.ts';\n", 'services-import-providers'],
  ['src/market-data/services/prices/a.ts', "import '../history/closes.ts';\n", 'service-folders-one-way'],
  ['src/market-data/services/history/a.ts', "import '../catalog/b.ts';\n", 'service-folders-one-way'],
  ['src/market-data/providers/http/a.ts', "import '../fmp/fmp.ts';\n", 'provider-folders-one-way'],
  ['src/market-data/providers/chain/a.ts', "import '../fmp/fmp.ts';\n", 'provider-folders-one-way'],
  ['src/features/watchlist/n.ts', "import '../../market-data/providers/chain.ts';\n", 'features-import-services'],
  ['src/embedded/bank/a.ts', "import '../../features/watchlist/queries.ts';\n", 'embedded-imports-platform'],
  ['src/embedded/market-data/a.ts', "import '../../market-data/providers/chain.ts';\n", 'embedded-imports-platform'],
  ['src/features/connections/a.ts', "import '../../embedded/bank/bank.ts';\n", 'app-imports-embedded'],
  ['src/platform/identity/b.ts', "import '../../embedded/bank/bank.ts';\n", 'app-imports-embedded'],
  ['packages/token-counter/src/a.ts', "import 'node:zlib';\n", 'counter-stands-alone'],
  ['packages/token-counter/research/a.ts', "import '../../../src/errors.ts';\n", 'package-without-service'],
  ['src/features/watchlist/o.ts', "import '../../../packages/token-counter/data/pieces.ts';\n", 'counter-by-its-entry'],
  ['src/payments/a.ts', "import '../errors.ts';\n", 'known-folders'],
  ['src/errors.ts', "import './features/watchlist/contract.ts';\n", 'lowest-files'],
  ['src/features/watchlist/k.ts', "import 'tool';\n", 'no-dev-dependency-in-server'],
  ['src/features/watchlist/l.ts', "import '../../command-line.ts';\n", 'command-line-for-commands'],
  ['src/features/watchlist/m.ts', "import './cli.ts';\n", 'commands-for-the-command-line'],
  ['src/features/watchlist/p.ts', "import './items-cli.ts';\n", 'commands-for-the-command-line'],
  ['src/platform/identity/cli.ts', "import '../../features/watchlist/queries.ts';\n", 'platform-knows-no-feature'],
  ['src/installation/run-features.ts', "import '../app.ts';\n", 'app-for-main'],
  ['src/installation/backup.ts', "import '../main.ts';\n", 'main-starts-everything'],
  ['src/features/watchlist/q.ts', "import '../../installation/backup.ts';\n", 'no-wiring-in-folders'],
  ['src/feature.ts', "import './features/watchlist/queries.ts';\n", 'feature-shape-knows-no-feature'],
  ['cli/main.ts', "import '../src/features/watchlist/queries.ts';\n", 'command-line-chooses'],
];

/** Runs the import rules over a tree of these files; returns `rule file` of each violation. */
function cruise(files: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'import-rules-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [
        join(repository, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'),
        '--config',
        join(repository, '.dependency-cruiser.mjs'),
        '--output-type',
        'json',
        '.',
      ],
      { cwd: root, encoding: 'utf8' },
    );
    assert.notEqual(stdout, '', stderr);
    const { summary } = JSON.parse(stdout) as { summary: { violations: { from: string; rule: { name: string } }[] } };
    return summary.violations.map(({ from, rule }) => `${rule.name} ${from}`);
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** Two files whose imports of types are a cycle. */
const cycle: Record<string, string> = {
  'src/features/watchlist/cycle-a.ts': "import type { B } from './cycle-b.tsx';\nexport type A = B;\n",
  'src/features/watchlist/cycle-b.tsx': "import type { A } from './cycle-a.ts';\nexport type B = A;\n",
};

// Loading the rules takes seconds, so one run finds all violations.
let found: Set<string>;
beforeAll(() => {
  const files = Object.fromEntries(forbidden.map(([path, text]) => [path, text]));
  found = new Set(cruise({ ...allowed, ...files, ...cycle }));
});

test('rejects each forbidden import in a .ts and a .tsx file', () => {
  assert.deepEqual(
    forbidden.map(([path, , rule]) => `${rule} ${path}`).filter((expected) => !found.has(expected)),
    [],
    [...found].join('\n'),
  );
});

test('rejects a cycle when its imports are types only', () => {
  assert.ok(found.has('no-cycles src/features/watchlist/cycle-a.ts'), [...found].join('\n'));
});

test('accepts every import of a tree when no import is forbidden', () => {
  assert.deepEqual(cruise(allowed), []);
});
