/**
 * `run-as-service.ts SETTINGS_FILE OWNER_FILE DATA_DIR COMMAND…` runs a command of Tally with the settings of the systemd
 * service and as its user. deploy/systemd/tally calls it as root. The environment of the caller takes precedence over
 * the files. DATA_DIR applies if neither sets another one. OWNER_FILE has the login of the database's owner, and only
 * the commands that need it read it.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { exitCode } from '../src/command-line.ts';
import { parseEnvironmentFile } from '../src/config/parse-environment-file.ts';

const OWNER_COMMANDS = ['migrate', 'backup', 'restore', 'doctor'];

/** Returns the settings in a file. Ends the process if it cannot be read. If it is optional, it may be missing. */
function readSettings(path: string, { isOptional = false } = {}): Record<string, string> {
  try {
    return parseEnvironmentFile(readFileSync(path, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (isOptional && code === 'ENOENT') return {};
    console.error(`tally: ${path} cannot be read (${code}): run this command as root, after docs/how-to/deploy.md.`);
    process.exit(exitCode.usage);
  }
}

/** Returns the values that are not empty, since an empty one would replace that of a file. */
const omitEmpty = (values: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value));

const [settingsFile = '', ownerFile = '', dataDir, ...argv] = process.argv.slice(2);
const settings = readSettings(settingsFile);
const ownerSettings = OWNER_COMMANDS.includes(argv[0] ?? '') ? readSettings(ownerFile, { isOptional: true }) : {};
const program = fileURLToPath(new URL('../bin/tally.mjs', import.meta.url));
// Without "--" Node itself would read the option --env-file of a command.
const command = [process.execPath, '--', program, ...argv];
// Each program replaces the one before it, so signals reach the command and its exit code is that of this process. The
// shell finds runuser in PATH, which `execve` does not search.
process.execve!('/bin/sh', ['sh', '-c', 'exec runuser -u tally -- "$@"', 'sh', ...command], {
  DATA_DIR: dataDir,
  ...omitEmpty(settings),
  ...omitEmpty(ownerSettings),
  ...omitEmpty(process.env),
});
