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

Writes a consistent copy of all tables and waiting jobs into FOLDER, which must not exist. For an embedded database the
copy includes the secrets in DATA_DIR, so protect the folder. The service may run. With DB_URL the command needs
DB_OWNER_URL. For large databases the server's own tools are faster.`,
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

Checks that FOLDER is complete. Then fills an empty DATA_DIR or, with DB_URL and DB_OWNER_URL, an empty database, and
applies newer migrations. You can restore a backup of the embedded database into your own server and the reverse. The
output then names settings to copy from FOLDER/secrets.json. After an interruption, run the same command again.`,
  async run(argv, io) {
    const folder = parseFolder('restore', argv, io);
    if (folder === undefined) return exitCode.usage;
    const config = loadConfig();
    const report = { log: (line: string) => io.out(`${line}\n`), warn: (line: string) => io.err(`${line}\n`) };
    const { tables, made_at } = await restore(config, folder, report);
    io.out(`${countRows(tables)} rows of ${tables.length} tables, as they were on ${made_at}\n`);
    if (config.DB_URL !== undefined)
      io.out(`If ${folder}/secrets.json exists, set these from it: ${CARRIED_SETTINGS.join(', ')}.\n`);
    return exitCode.done;
  },
};
