import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { commands as programCommands } from '../cli/commands.ts';
import { settings } from '../src/config/settings.ts';
import { listCommands } from './support/page-commands.ts';

/* Each command of the how-to pages runs in a test or in the nightly workflow. page-commands.yaml says where. */

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const pages = [...globSync('docs/how-to/*.md', { cwd: root }), 'deploy/kubernetes/README.md'].filter(
  // The commands of developers run whenever they work.
  (page) => !/^For (developers|maintainers)/m.test(read(page)),
);
const pageCommands = pages.flatMap((page) => listCommands(read(page)).map((command) => ({ page, command })));
const runs = parse(read('test/page-commands.yaml')) as Record<string, string[]>;
const places = Object.entries(runs).flatMap(([place, parts]) => parts.map((part) => ({ place, part })));

/** Returns the arguments of a command of our program, or undefined for another one. */
const parseProgramCommand = (line: string): string[] | undefined =>
  /^(?:[A-Z_]+=\S+ )?(?:tally|node bin\/tally\.mjs) ([^>]+)/.exec(line)?.[1]!.trim().split(/\s+/);
const SETTING = /^([A-Z][A-Z_]+)=/;

test('has a place for every command that is none of our program and no setting', () => {
  assert.ok(pageCommands.length > 80);
  const missing = pageCommands.filter(
    ({ command }) =>
      !command.split('\n').every((line) => parseProgramCommand(line) !== undefined || SETTING.test(line)) &&
      !places.some(({ part }) => command.includes(part)),
  );
  assert.deepEqual(missing, []);
});

test('writes settings that the service reads', () => {
  const names = pageCommands.flatMap(({ command }) =>
    command.split('\n').flatMap((line) => (parseProgramCommand(line) ? [] : (SETTING.exec(line)?.[1] ?? []))),
  );
  assert.ok(names.length > 10);
  assert.deepEqual(
    names.filter((name) => !(name in settings.shape)),
    [],
  );
});

test('names commands that a page has, in files and jobs that exist', () => {
  const { jobs } = parse(read('.github/workflows/nightly.yml')) as { jobs: Record<string, object> };
  for (const { place, part } of places) {
    assert.ok(pageCommands.some(({ command }) => command.includes(part)), part); // prettier-ignore
    if (place === 'by hand') continue;
    const [, job] = /^nightly (\w+)$/.exec(place) ?? [];
    assert.ok(job === undefined ? existsSync(join(root, place)) : job in jobs, place);
  }
});

test('uses subcommands and options of our program that its help names', () => {
  const own = pageCommands.flatMap(({ page, command }) =>
    command.split('\n').flatMap((line) => {
      const argv = parseProgramCommand(line);
      return argv === undefined ? [] : [{ page, argv }];
    }),
  );
  assert.ok(own.length > 40);
  for (const { page, argv } of own) {
    const [name, ...rest] = argv;
    const help = programCommands.find((command) => command.name === name)?.help;
    assert.ok(help !== undefined, `${page}: tally ${name}`);
    const options = rest.filter((word) => word.startsWith('--'));
    const hasSubcommands = new RegExp(`^tally ${name} [a-z]`, 'm').test(help);
    const subcommand = hasSubcommands && /^[a-z][a-z-]*$/.test(rest[0] ?? '') ? [`tally ${name} ${rest[0]}`] : [];
    for (const word of [...subcommand, ...options]) assert.ok(help.includes(word), `${page}: ${argv.join(' ')}`);
  }
});
