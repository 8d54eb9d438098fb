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

list         shows every connection, the longest not read first: kind, aggregator, status and
             accounts, not whose it is.
rotate-keys  seals with CONNECTIONS_KEY what CONNECTIONS_KEY_PREVIOUS has sealed. Run it once
             every process knows both keys; safe to repeat, beside a running service.

Exit codes: 0 done, 1 some rows are opened by no key, 2 usage, 3 the database cannot be reached.`,
    subcommands: {
      list: defineSubcommand({ json: 'boolean' }, 'list takes --json.', async ({ json }, io) => {
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
      'rotate-keys': defineSubcommand({}, 'rotate-keys takes no arguments.', async (_none, io) => {
        const { reencrypted, undecryptable } = await withConnections(({ operator }) => operator.rotateKeys());
        io.out(`${reencrypted} sealed with the current key.\n`);
        if (undecryptable === 0) return exitCode.done;
        return io.fail(`${undecryptable} are opened by no key; add the one that sealed them.`);
      }),
    },
  });
