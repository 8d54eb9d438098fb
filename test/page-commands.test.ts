import assert from 'node:assert/strict';
import { execSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { commands as programCommands } from '../cli/commands.ts';
import { exitCode } from '../src/command-line.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { settings as knownSettings } from '../src/config/settings.ts';
import { listCommands } from './support/page-commands.ts';
import { runInProcess } from './support/run-program.ts';
import { createSeededDatabase, getDatabaseSettings } from './support/service.ts';

/*
 * Each command of the how-to pages runs in a test or in the nightly workflow. page-commands.yaml says where. Those of
 * our program run here.
 */

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
const own = pageCommands.flatMap(({ page, command }) =>
  command.split('\n').flatMap((line) => {
    const argv = parseProgramCommand(line);
    return argv === undefined ? [] : [{ page, line, argv }];
  }),
);
const OWN_PLACE = 'test/page-commands.test.ts';
/** Commands that this process cannot run, and the test of each. */
const RUNS_ELSEWHERE: Readonly<Record<string, string>> = {
  'start --processes': 'test/processes.test.ts',
};
const SETTING = /^([A-Z][A-Z_]+)=/;

const { jobs } = parse(read('.github/workflows/nightly.yml')) as { jobs: Record<string, object> };

/** Returns whether the place runs this command of the page: it names the page, or is a job with the command itself. */
function runsCommandOf(place: string, page: string, part: string): boolean {
  if (place === 'by hand' || place === OWN_PLACE) return true;
  const [, job] = /^nightly (\w+)$/.exec(place) ?? [];
  const text = job === undefined ? read(place) : JSON.stringify(jobs[job]);
  return text.includes(page) || (job !== undefined && text.includes(part));
}

test('has a place that runs it for every command that is none of our program and no setting', () => {
  assert.ok(pageCommands.length > 80);
  const missing = pageCommands.filter(
    ({ page, command }) =>
      !command.split('\n').every((line) => parseProgramCommand(line) !== undefined || SETTING.test(line)) &&
      !places.some(({ place, part }) => command.includes(part) && runsCommandOf(place, page, part)),
  );
  assert.deepEqual(missing, []);
});

test('makes a secret that settings accept by the command of the pages', () => {
  const command = 'openssl rand -hex 32';
  assert.ok(pageCommands.some((one) => one.command === command));
  const [operator, connections, metrics] = [1, 2, 3].map(() => execSync(command, { encoding: 'utf8' }).trim());
  loadConfig({ OPERATOR_TOKEN: operator!, CONNECTIONS_KEY: connections!, METRICS_TOKEN: metrics! });
});

test('writes settings that the service reads', () => {
  const names = pageCommands.flatMap(({ command }) =>
    command.split('\n').flatMap((line) => (parseProgramCommand(line) ? [] : (SETTING.exec(line)?.[1] ?? []))),
  );
  assert.ok(names.length > 10);
  assert.deepEqual(
    names.filter((name) => !(name in knownSettings.shape)),
    [],
  );
});

test('names commands that a page has, in files and jobs that exist', () => {
  for (const { place, part } of places) {
    assert.ok(pageCommands.some(({ command }) => command.includes(part)), part); // prettier-ignore
    if (place === 'by hand') continue;
    const [, job] = /^nightly (\w+)$/.exec(place) ?? [];
    assert.ok(job === undefined ? existsSync(join(root, place)) : job in jobs, place);
  }
  for (const place of Object.values(RUNS_ELSEWHERE)) assert.ok(existsSync(join(root, place)), place);
});

test('uses subcommands and options of our program that its help names', () => {
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

test('runs each command of our program, none of which is a wrong call', { tags: ['slow'] }, async (t) => {
  const { database, firstRun } = await createSeededDatabase(t);
  const folder = mkdtempSync(join(tmpdir(), 'tally-page-commands-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  const settings = {
    ...getDatabaseSettings(database),
    DB_OWNER_URL: database.ownerUrl,
    DEMO_ACCESS_OPERATOR_TOKEN: 'd0'.repeat(32),
    BASE_URL: 'http://127.0.0.1:1',
    DATA_DIR: join(folder, 'data'),
  };
  /** Values for the words that a reader replaces. */
  const values: readonly [RegExp, string][] = [
    [/EMAIL|ada@example\.com/g, firstRun.members[0]!.email],
    [/\/backups/g, join(folder, 'backups')],
    [/FOLDER/g, join(folder, 'backup')],
    [/ \[ID …\]/g, ''],
    [/\bID\b|inv_…/g, '7'],
    [/0\.\.100/g, '50'],
    [/\bFLAG\b/g, 'dashboard-watchlist-v01'],
  ];
  for (const text of new Set(own.map(({ argv }) => argv.join(' ')))) {
    const argv = values.reduce((line, [word, value]) => line.replace(word, value), text).split(' ');
    // A name alone may be the mention of a command that needs arguments.
    const help = programCommands.find(({ name }) => name === argv[0])!.help;
    if (argv.length === 1 && !new RegExp(`^tally ${argv[0]}( \\[.*)?$`, 'm').test(help)) continue;
    if (Object.keys(RUNS_ELSEWHERE).some((start) => text.startsWith(start))) continue;
    const { code, err } = await runInProcess(argv, settings, Promise.resolve());
    // A wrong setting or database, which has the same exit code, is a whole sentence about it.
    const isWrongPlace = /^tally \S+: The (settings?|data directory|database) /m.test(err);
    assert.ok(code !== exitCode.usage || isWrongPlace, `tally ${text}: ${err}`);
  }
});
