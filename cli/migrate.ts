import { type Command, exitCode } from '../src/command-line.ts';
import { loadConfig } from '../src/config.ts';
import { migrateDatabase } from '../src/open-database.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Bring the database up to date',
  help: `tally migrate [--json]

Applies the migrations that the database has not had yet, each once, under a lock; safe to run beside others.
With DB_URL it needs DB_OWNER_URL, the login that owns the tables. --json prints { "applied": [names] };
what a migration could not do goes to standard error.`,
  async run(argv, io) {
    const json = argv.includes('--json');
    if (argv.some((argument) => argument !== '--json')) {
      io.err('tally migrate: the only option is --json.\n');
      return exitCode.usage;
    }
    const applied = await migrateDatabase(loadConfig(), {
      log: (message) => json || io.out(`${message}\n`),
      warn: (message) => io.err(`${message}\n`),
    });
    if (json) io.out(`${JSON.stringify({ applied })}\n`);
    else if (applied.length === 0) io.out('The database is up to date.\n');
    return exitCode.done;
  },
};
