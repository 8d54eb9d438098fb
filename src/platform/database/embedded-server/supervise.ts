import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Account } from './server-account.ts';
import { type ChildFolder, spawnInFolder } from './child-folder.ts';

/**
 * Runs the server until descriptor 3 closes, when we close it or our process ends in any way. Then it starts a fast
 * shutdown, and an immediate one after 20 s. Afterwards it removes the runtime folder ($1) and throw-away data ($2).
 * After a failure both stay for a retry. It is plain sh, so that it works on macOS, except for the memory limit of each
 * process. A statement above the limit fails (53200) before the machine runs out of memory.
 */
const SUPERVISOR = `
runtime=$1; throwaway=$2; shift 2
ulimit -v 1500000 2>/dev/null
"$@" 3<&- &
server=$!
{
  read -r _ <&3
  : >"$runtime/ending"
  kill -INT $server
  left=200
  while kill -0 $server && [ $left -gt 0 ]; do sleep 0.1; left=$((left - 1)); done
  kill -QUIT $server
} 2>/dev/null &
watcher=$!
wait $server
code=$?
kill $watcher 2>/dev/null
[ -e "$runtime/ending" ] && rm -rf "$runtime" \${throwaway:+"$throwaway"}
exit $code
`;

export interface SupervisedServer {
  /** Resolves with the exit code when the server has exited. */
  ended: Promise<number | null>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  native: string;
  runtime: string;
  data: ChildFolder;
  account: Account | null;
  durable: boolean;
  /** Data folder to remove when the server exits, or null. */
  throwaway: string | null;
  /** Open file for the server's messages. */
  log: number;
  /** Server settings that replace ours. */
  settings?: Readonly<Record<string, string>> | undefined;
}

export function superviseServer(options: ServerOptions): SupervisedServer {
  const { native, runtime, data, account, throwaway, log } = options;
  const server = [join(native, 'bin/postgres'), '-D', data.path, ...listServerSettings(options)];
  const command = ['/bin/sh', '-c', SUPERVISOR, 'tally-postgres', runtime, throwaway ?? '', ...server];
  const child = spawnInFolder(data, account, command, log);
  const lifeline = child.stdio[3] as NonNullable<ChildProcess['stdin']>;
  lifeline.on('error', () => {}); // the server exited before us
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('exit', resolve));
  ended.catch(() => {});
  // A running server must not keep this process alive. The end of this process signals the supervisor.
  child.unref();
  (lifeline as unknown as { unref(): void }).unref();
  return {
    ended,
    async stop() {
      child.ref();
      lifeline.destroy();
      await ended.catch(() => {});
    },
  };
}

function listServerSettings({ runtime, durable, settings }: ServerOptions): string[] {
  const serverSettings = {
    listen_addresses: '',
    unix_socket_directories: join(runtime, 'socket'),
    unix_socket_permissions: '0700',
    max_connections: '100',
    password_encryption: 'scram-sha-256',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    // Without replicas the server needs less log and fewer helper processes.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_logical_replication_workers: '0',
    jit: 'off',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    ...settings,
  };
  return Object.entries(serverSettings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
