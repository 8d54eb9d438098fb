import { type Command, exitCode, readArguments, tableOf, usage, usageOfVerbs, type With } from '../command-line.ts';
import type { Connections } from './connections.ts';

/** `tally connections list|rotate-keys`: the operator's view of connections. */
export const connectionsCommand = (withConnections: With<Pick<Connections, 'operator'>>): Command => ({
  name: 'connections',
  summary: 'List connections to banks and brokerages, and change the key of their secrets',
  help: `tally connections list [--json]
tally connections rotate-keys

list         shows every connection, the longest not read first: kind, aggregator, status and
             accounts, not whose it is.
rotate-keys  seals with CONNECTIONS_KEY what CONNECTIONS_KEY_PREVIOUS has sealed. Run it once
             every process knows both keys; safe to repeat, beside a running service.

Exit codes: 0 done, 1 some rows are opened by no key, 2 usage, 3 the database cannot be reached.`,
  async run(argv, io) {
    const [verb, ...rest] = argv;
    if (verb !== 'list' && verb !== 'rotate-keys') return usageOfVerbs(io, 'connections', verb, 'list or rotate-keys');
    const parsed = readArguments(rest, verb === 'list' ? { json: { type: 'boolean' } } : {});
    if (!parsed || parsed.positionals.length > 0)
      return usage(io, 'connections', verb === 'list' ? 'list takes --json.' : 'rotate-keys takes no arguments.');
    if (verb === 'rotate-keys') {
      const { sealed, unopened } = await withConnections(({ operator }) => operator.rotateKeys());
      io.out(`${sealed} sealed with the current key.\n`);
      if (unopened > 0) io.err(`tally connections: ${unopened} are opened by no key; add the one that sealed them.\n`);
      return unopened > 0 ? exitCode.refused : exitCode.done;
    }
    const rows = await withConnections(({ operator }) => operator.list());
    if ('json' in parsed.values && parsed.values.json) {
      io.out(`${JSON.stringify(rows)}\n`);
      return exitCode.done;
    }
    const date = (value: Date | null): string => value?.toISOString().slice(0, 16).replace('T', ' ') ?? '-';
    const cells = rows.map(({ id, kind, provider, status, accounts, connected_at, synced_at }) => [
      ...[id, kind, provider, status, String(accounts), date(connected_at), date(synced_at)],
    ]);
    io.out(
      cells.length === 0
        ? 'There are no connections.\n'
        : tableOf([['id', 'kind', 'aggregator', 'status', 'accounts', 'connected', 'read'], ...cells]),
    );
    return exitCode.done;
  },
});
