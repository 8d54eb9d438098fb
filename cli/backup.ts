import { backUp, restore } from '../src/backup.ts';
import { type Command, exitCode, type Io } from '../src/command-line.ts';
import { loadConfig } from '../src/config/load-config.ts';

/**
 * Returns the only argument, the folder of the backup. Returns `undefined` after a usage message if the arguments
 * differ.
 */
function parseFolder(name: string, argv: readonly string[], io: Io): string | undefined {
  if (argv.length === 1 && !argv[0]!.startsWith('-')) return argv[0];
  io.err(`tally ${name}: expects the name of one folder; see tally ${name} --help.\n`);
  return undefined;
}

/** Settings whose values the embedded installation generated. */
const CARRIED_SETTINGS = [
  'IDP_SECRET_KEY',
  'IDP_PUBLISHABLE_KEY',
  'IDP_WEBHOOK_SECRET',
  'CONNECTIONS_KEY',
  'DEMO_ACCESS_OPERATOR_TOKEN',
  'DEMO_ACCOUNT_IDP_USER_ID',
];

const countRows = (tables: readonly { rows: number }[]): number => tables.reduce((sum, { rows }) => sum + rows, 0);

export const backupCommand: Command = {
  name: 'backup',
  summary: 'Write the content of the database into a folder',
  help: `tally backup FOLDER

Writes the rows of every table as they are at this moment, the waiting jobs and, of an embedded database, the secrets in
DATA_DIR into FOLDER, which must not be there yet, while the service runs. Keep the folder as you would keep those
secrets. With DB_URL it needs DB_OWNER_URL; for large databases the server's own tools are quicker.`,
  async run(argv, io) {
    const folder = parseFolder('backup', argv, io);
    if (folder === undefined) return exitCode.usage;
    const { tables, migrations } = await backUp(loadConfig(), folder);
    io.out(`${countRows(tables)} rows of ${tables.length} tables, ${migrations.length} migrations, in ${folder}\n`);
    return exitCode.done;
  },
};

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'Fill an empty database from a backup',
  help: `tally restore FOLDER

Checks that FOLDER is whole, then fills an empty DATA_DIR or, with DB_URL and DB_OWNER_URL, a database in which nothing
was migrated, and applies the migrations that are newer than the backup. So a backup of the embedded database moves an
installation to a server of your own; what it says then are settings to take over from FOLDER/secrets.json.`,
  async run(argv, io) {
    const folder = parseFolder('restore', argv, io);
    if (folder === undefined) return exitCode.usage;
    const config = loadConfig();
    const report = { log: (line: string) => io.out(`${line}\n`), warn: (line: string) => io.err(`${line}\n`) };
    const { tables, made_at } = await restore(config, folder, report);
    io.out(`${countRows(tables)} rows of ${tables.length} tables, as they were on ${made_at}\n`);
    if (config.DB_URL !== undefined)
      io.out(`From ${folder}/secrets.json, where it is there, set ${CARRIED_SETTINGS.join(', ')}.\n`);
    return exitCode.done;
  },
};
