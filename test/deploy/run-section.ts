/**
 * Runs the commands of a page's section in one shell, as an operator would, and ends with its exit code:
 *   npx node test/deploy/run-section.ts PAGE HEADING [--in FOLDER] [--only TEXT] [--skip TEXT] [--replace FROM=>TO]
 * The last three may be repeated. TEXT is a part of a command. The machine is changed: for the nightly workflow alone.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { listCommands, readSection } from '../support/page-commands.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    in: { type: 'string', default: '.' },
    only: { type: 'string', multiple: true, default: [] },
    skip: { type: 'string', multiple: true, default: [] },
    replace: { type: 'string', multiple: true, default: [] },
  },
});
const [page = '', heading = ''] = positionals;
const contains = (command: string, parts: readonly string[]): boolean => parts.some((part) => command.includes(part));
const commands = listCommands(readSection(readFileSync(page, 'utf8'), heading))
  .filter((command) => values.only.length === 0 || contains(command, values.only))
  .filter((command) => !contains(command, values.skip))
  .map((command) =>
    values.replace.map((rule) => rule.split('=>')).reduce((text, [from, to]) => text.replaceAll(from!, to!), command),
  );
if (commands.length === 0) throw new Error(`No command of "${heading}" in ${page} is left to run.`);
process.exitCode = spawnSync('sh', ['-exc', commands.join('\n')], { cwd: values.in, stdio: 'inherit' }).status ?? 1;
