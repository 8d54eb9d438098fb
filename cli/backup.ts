import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { backUp, getOwnerUrl, restore, runAloneOnBackups, verifyBackup } from '../src/installation/backup.ts';
import { rotateBackups, runBackupSchedule } from '../src/installation/backup-rotation.ts';
import { type Command, exitCode, type Io, parseArguments, type ProgramIo } from '../src/command-line.ts';
import { loadConfig } from '../src/config/load-config.ts';

/**
 * Returns the only argument, the folder of the backup. Returns `undefined` after a usage message if the arguments
 * differ.
 */
function parseFolder(name: string, argv: readonly string[], io: Io): string | undefined {
  if (argv.length === 1 && !argv[0]!.startsWith('-')) return argv[0];
  io.err(`tally ${name}: expects the name of one folder; see tally ${name.split(' ')[0]} --help.\n`);
  return undefined;
}

/** Settings whose values the embedded installation generated. */
const CARRIED_SETTINGS = [
  'IDP_SECRET_KEY',
  'IDP_PUBLISHABLE_KEY',
  'IDP_WEBHOOK_SECRET',
  'CONNECTIONS_KEY',
  'DEMO_ACCESS_OPERATOR_TOKEN',
  'REVENUE_OPERATOR_TOKEN',
  'DEMO_ACCOUNT_IDP_USER_ID',
];

const countRows = (tables: readonly { rows: number }[]): number => tables.reduce((sum, { rows }) => sum + rows, 0);

export const backupCommand: Command<ProgramIo> = {
  name: 'backup',
  summary: 'Write the content of the database into a folder, once or every day',
  help: `tally backup FOLDER
tally backup FOLDER --keep N
tally backup FOLDER --schedule daily|HH:MM [--keep N]
tally backup verify PATH

Writes a consistent copy of all tables and waiting jobs into FOLDER, which must not exist. For an embedded database the
copy includes the secrets in DATA_DIR, so protect the folder. The service may run. With DB_URL the command needs
DB_OWNER_URL. For large databases the server's own tools are faster, and a Citus cluster needs them. The files are read
again and compared with their checksums before the folder gets its name and older backups are removed.

  --keep N      write into FOLDER/tally-<time> instead, then remove the oldest complete backups there beyond N (1 to
                1000). For a timer of systemd or a CronJob of Kubernetes
  --schedule T  keep running and do so every day at T in UTC (daily is 02:00), and at once if that was missed. For a
                service of systemd or compose. A failed backup is a line, and is tried again after 15 minutes.
                The default of --keep is then 7
  verify PATH   check the backup in the folder PATH without restoring it: every file is there and has its checksum, and
                this version of Tally can read it. A restore needs PostgreSQL of the printed version or a newer one.
                It needs no settings

The time of the last backup is the metric tally_backup_last_success_timestamp_seconds of the service.
Exit codes: 0 done, 1 failed, 2 usage, 3 the database is unavailable.`,
  async run([first, ...rest], io) {
    if (first === 'verify') return runVerify(rest, io);
    const options = parseBackupOptions(first === undefined ? [] : [first, ...rest]);
    if (typeof options === 'string') {
      io.err(`tally backup: ${options}; see tally backup --help.\n`);
      return exitCode.usage;
    }
    const { folder, keep, time } = options;
    const config = loadConfig();
    const write = (target: string) => backUp(config, target, (line) => io.err(`tally backup: ${line}\n`));
    const runAlone = <Result>(work: () => Promise<Result>) => runAloneOnBackups(config, work);
    if (keep === undefined) {
      io.out(formatBackup(folder, await write(folder)));
      return exitCode.done;
    }
    if (time === undefined) {
      io.out(formatRotation(await rotateBackups({ folder, keep, write, runAlone })));
      return exitCode.done;
    }
    if (config.DB_URL !== undefined) getOwnerUrl(config);
    const ended = new AbortController();
    void io.interrupted.then(() => ended.abort());
    io.out(`ready backup: every day at ${time} UTC into ${folder}, ${keep} kept\n`);
    await runBackupSchedule({
      folder,
      keep,
      write,
      runAlone,
      time,
      signal: ended.signal,
      report: {
        done: (backup) => io.out(formatRotation(backup)),
        failed: (error, next) =>
          io.err(`tally backup: failed, next attempt at ${next.toISOString()}: ${(error as Error).message}\n`),
      },
    });
    return exitCode.done;
  },
};

async function runVerify(argv: readonly string[], io: Io): Promise<number> {
  const folder = parseFolder('backup verify', argv, io);
  if (folder === undefined) return exitCode.usage;
  const manifest = await verifyBackup(folder);
  io.out(
    `${formatBackup(folder, manifest)}Of Tally ${manifest.version} and PostgreSQL ${manifest.postgres}, made on ${manifest.made_at}: complete and undamaged\n`,
  );
  return exitCode.done;
}

type Manifest = Awaited<ReturnType<typeof backUp>>;

const formatBackup = (path: string, { tables, migrations }: Manifest): string =>
  `${countRows(tables)} rows of ${tables.length} tables, ${migrations.length} migrations, in ${path}\n`;

const formatRotation = ({ path, manifest, removed }: Awaited<ReturnType<typeof rotateBackups>>): string =>
  formatBackup(path, manifest) + (removed.length > 0 ? `Removed ${removed.join(', ')}\n` : '');

const DEFAULT_KEEP = 7;
const DAILY = '02:00';

/** Returns the options, or what is wrong with an argument. `keep` is undefined for a single backup. */
function parseBackupOptions(
  argv: readonly string[],
): { folder: string; keep: number | undefined; time: string | undefined } | string {
  const parsed = parseArguments(argv, { folder: 'positional', keep: 'string', schedule: 'string' });
  if (!parsed || parsed.folder === '') return 'expects one folder, and accepts --keep and --schedule';
  const { folder, keep, schedule } = parsed;
  if (keep !== undefined && !/^([1-9]\d{0,2}|1000)$/.test(keep)) return '--keep must be a whole number from 1 to 1000';
  const time = schedule === 'daily' ? DAILY : schedule;
  if (time !== undefined && !/^([01]\d|2[0-3]):[0-5]\d$/.test(time))
    return '--schedule must be daily, or a time as HH:MM';
  const defaultKeep = time === undefined ? undefined : DEFAULT_KEEP;
  return { folder, keep: keep === undefined ? defaultKeep : Number(keep), time };
}

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
    const secretsPath = join(folder, 'secrets.json');
    if (config.DB_URL !== undefined && existsSync(secretsPath))
      io.out(`Set ${CARRIED_SETTINGS.join(', ')} to the values in ${secretsPath}, whose names are lower case.\n`);
    return exitCode.done;
  },
};
