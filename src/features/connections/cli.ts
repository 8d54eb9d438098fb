import {
  createSubcommands,
  exitCode,
  formatMinute,
  formatTable,
  defineSubcommand,
  type WithResource,
} from '../../command-line.ts';
import type { Connections } from './connections.ts';

/** Creates `tally connections list|rotate-keys`, which list connections and rotate encryption keys. */
export const connectionsCommand = (withConnections: WithResource<Pick<Connections, 'operator'>>) =>
  createSubcommands({
    name: 'connections',
    summary: 'List connections to banks and brokerages, and change the key of their secrets',
    help: `tally connections list [--json]
tally connections rotate-keys

list         shows kind, aggregator, status and accounts of every connection, without its
             member. Connections that were read least recently come first.
rotate-keys  encrypts with CONNECTIONS_KEY what CONNECTIONS_KEY_PREVIOUS encrypted. Run it when
             every process has both keys. It is safe to repeat while the service runs.

Exit codes: 0 done, 1 some rows cannot be decrypted with either key, 2 usage, 3 the database
is unavailable.`,
    subcommands: {
      list: defineSubcommand({ json: 'boolean' }, 'list accepts --json.', async ({ json }, io) => {
        const rows = await withConnections(({ operator }) => operator.list());
        if (json) return io.succeed(rows);
        const cells = rows.map(({ id, kind, provider, status, accounts, connected_at, synced_at }) => [
          id,
          kind,
          provider,
          status,
          String(accounts),
          formatMinute(connected_at),
          formatMinute(synced_at),
        ]);
        return io.succeed(
          cells.length === 0
            ? 'There are no connections.\n'
            : formatTable([['id', 'kind', 'aggregator', 'status', 'accounts', 'connected', 'read'], ...cells]),
        );
      }),
      'rotate-keys': defineSubcommand({}, 'rotate-keys accepts no arguments.', async (_none, io) => {
        const { reencrypted, undecryptable } = await withConnections(({ operator }) => operator.rotateKeys());
        io.out(`${reencrypted} encrypted with the current key.\n`);
        if (undecryptable === 0) return exitCode.done;
        return io.fail(
          `${undecryptable} cannot be decrypted; add the key with which they were encrypted, or if nobody has it, start ` +
            'the service once with CONNECTIONS_KEY_PREVIOUS=lost, which deletes them.',
        );
      }),
    },
  });
