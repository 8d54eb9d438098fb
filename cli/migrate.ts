import { type Command, exitCode } from '../src/command-line.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { getClusterOwnerUrl, distributeDatabase, migrateDatabase } from '../src/installation/open-database.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Bring the database up to date',
  help: `tally migrate [--distribute] [--json]

Applies pending migrations under a lock. It is safe to run several at once.
With DB_URL it needs DB_OWNER_URL, the login that owns the tables. --json prints { "applied": [names] };
what a migration could not do goes to standard error. --distribute then spreads members' rows over the
Citus cluster whose coordinator DB_URL and DB_OWNER_URL name, and adds { "distributed": [tables] }.`,
  async run(argv, io) {
    const json = argv.includes('--json');
    const isDistributing = argv.includes('--distribute');
    if (argv.some((argument) => argument !== '--json' && argument !== '--distribute')) {
      io.err('tally migrate: the only options are --distribute and --json.\n');
      return exitCode.usage;
    }
    const config = loadConfig();
    const owner = isDistributing ? getClusterOwnerUrl(config) : undefined;
    const applied = await migrateDatabase(config, {
      log: (message) => json || io.out(`${message}\n`),
      warn: (message) => io.err(`${message}\n`),
    });
    const distributed = owner === undefined ? undefined : await distributeDatabase(owner);
    if (json) io.out(`${JSON.stringify({ applied, distributed })}\n`);
    else {
      if (applied.length === 0) io.out('The database is up to date.\n');
      if (distributed?.length === 0) io.out('Its tables are distributed.\n');
      for (const table of distributed ?? []) io.out(`Distributed ${table}.\n`);
    }
    return exitCode.done;
  },
};
