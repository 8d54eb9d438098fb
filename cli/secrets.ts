import { type Command, exitCode } from '../src/command-line.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { replaceLostSecrets } from '../src/installation/local-secrets.ts';

export const secretsCommand: Command = {
  name: 'secrets',
  summary: 'Create the secrets of a data directory that lost them',
  help: `tally secrets create

Creates secrets.json in DATA_DIR for the embedded database there, if the file is lost or damaged, and prints what ends
without the old ones. Restart the service then, if it runs. Members, passwords, sessions and API keys stay. If a backup
has the file, restore it instead.`,
  async run(argv, io) {
    if (argv.length !== 1 || argv[0] !== 'create') {
      io.err('tally secrets: the only subcommand is create.\n');
      return exitCode.usage;
    }
    const { DATA_DIR: dataDir } = loadConfig();
    const damaged = replaceLostSecrets(dataDir);
    if (damaged !== undefined) io.out(`The damaged file is now ${damaged}.\n`);
    io.out(`Created ${dataDir}/secrets.json. ${WHAT_ENDS}\n`);
    return exitCode.done;
  },
};

const WHAT_ENDS = `If the service runs, restart it now: its database still has the old passwords.
These no longer work, unless a setting has their value:
  DEMO_ACCESS_OPERATOR_TOKEN, REVENUE_OPERATOR_TOKEN and IDP_SECRET_KEY: read the new ones in that file.
  CONNECTIONS_KEY: members must connect banks and brokerages again. If there are any, one start must have
  CONNECTIONS_KEY_PREVIOUS=lost.`;
