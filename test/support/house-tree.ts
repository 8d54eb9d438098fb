import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inspect } from '../../scripts/house/inspect.ts';
import { inOneLine } from '../../scripts/house/problem.ts';

/** A tree as the house wants it; each case below spoils it in one place. */
const sound: Record<string, string> = {
  'package.json':
    '{ "scripts": { "bench": "" }, "dependencies": { "zod": "4.6.7", "fastify": "5.12.8" }, ' +
    '"devDependencies": { "react": "19.3.1" } }',
  'package-lock.json': '{ "packages": {} }',
  'bench/package.json': '{ "dependencies": { "peer": "1.0.0" } }',
  'bench/text.ts': "import 'peer';\n",
  'src/app.ts':
    "import { addReferralRoutes } from './referrals/routes.ts';\n" +
    "import { connect } from './database/connect.ts';\nexport const createApp = () => [addReferralRoutes, " +
    'connect];\n',
  'src/main.ts':
    "import { createApp } from './app.ts';\nimport { config } from './config.ts';\ncreateApp().push(config " +
    'as never);\n',
  'src/config.ts': "import { z } from 'zod';\nexport const config = z.object({}).parse(process.env);\n",
  'src/errors.ts': 'export class Failure extends Error {}\n',
  'src/database/connect.ts': "export const connect = () => 'select 1 from pg_class';\n",
  'src/identity/session.ts': "import { connect } from '../database/connect.ts';\nexport const session = connect;\n",
  'src/referrals/contract.ts': "import { z } from 'zod';\nexport const stats = z.object({});\n",
  'src/referrals/routes.ts':
    "import 'fastify';\nimport { Failure } from '../errors.ts';\n" +
    "import { session } from '../identity/session.ts';\nimport { stats } from './contract.ts';\n" +
    'export const addReferralRoutes = [Failure, session, stats];\n',
  'src/referrals/routes.test.ts': "import { createApp } from '../app.ts';\ncreateApp();\n",
  'src/referrals/queries.ts': "export const find = 'select tier from public.plans';\n",
  'src/referrals/cli.ts': "import { find } from './queries.ts';\nexport const command = find;\n",
  'src/referrals/web/card.tsx':
    "import 'react';\nimport { stats } from '../contract.ts';\n" +
    "import { Button } from '../../web/ui/button.tsx';\nexport const card = [stats, Button];\n",
  'src/web/ui/button.tsx': 'export const Button = () => <button type="button" />;\n',
  'src/web/main.tsx': "import { card } from '../referrals/web/card.tsx';\nconsole.log(card);\n",
  'src/watchlist/routes.ts': 'console.log(1);\n',
  'src/watchlist/contract.ts': "import { stats } from '../referrals/contract.ts';\nconsole.log(stats);\n",
  'src/token-counting/counter/index.ts': "export { countText } from './count-text.ts';\n",
  'src/token-counting/counter/count-text.ts': 'export const countText = (text: string) => text.length;\n',
  'cli/main.ts': "import { command } from '../src/referrals/cli.ts';\nconsole.log(command);\n",
  'test/support/race.ts': "console.log(new URL('cluster.ts', import.meta.url));\n",
  'test/support/cluster.ts': 'export const cluster = 1;\n',
};

/** Inspects the sound tree, as a repository, with `changes` written over it. */
export function inspectWith(changes: Record<string, string>): string[] {
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
