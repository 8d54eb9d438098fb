import { constants } from 'node:fs';
import { chown, open, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseUrls } from './connect.ts';
import { explainDataDirectoryError, ensureDataDirectory } from './data-directory.ts';
import { chooseAccount } from './embedded-server/server-account.ts';
import { findNative } from './embedded-server/binaries.ts';
import { openForChild } from './embedded-server/child-folder.ts';
import {
  clusterExists,
  getClusterFolder,
  createCluster,
  getLastLines,
  OWNER,
  readOwnerPassword,
  removeUnfinished,
} from './embedded-server/cluster.ts';
import { restartOnce } from './embedded-server/restart-once.ts';
import { startLogRotation } from './embedded-server/rotate-log.ts';
import { DataDirectoryInUse, type DataLock, lockDataDirectory, readHolder } from './embedded-server/data-lock.ts';
import { readPidFile } from './embedded-server/pid-file.ts';
import { stopPreviousServer } from './embedded-server/previous-server.ts';
import { createRuntimeFolder, removeRuntimeFolder } from './embedded-server/runtime-folder.ts';
import { type ServerOptions, type SupervisedServer, superviseServer } from './embedded-server/supervise.ts';
import { ASSISTANT_LOGIN, SERVICE_LOGIN } from './service-url.ts';

export { DataDirectoryInUse };

interface EmbeddedOptions {
  dataDir: string;
  /** Passwords of the logins; `migrate(ownerUrl, { logins: urls })` gives them to the server. */
  secrets: { authenticator: string; service: string; assistant: string };
  /** Use the server that already runs on this directory, where one does: for the command line and a worker apart. */
  attach?: boolean;
  /** Whether a directory without a database gets one (default); else `NoDatabase` is thrown. */
  create?: boolean;
  /** Server settings that replace ours: a standby of tests. */
  settings?: Readonly<Record<string, string>>;
  /** `false` gives up safety against power loss for speed: tests. */
  durable?: boolean;
  /** The data directory goes when the server ends, even when this process is killed; not durable. */
  throwaway?: boolean;
  /** Told when the server has ended without having been asked and was started again, which happens once. */
  onRestart?: (error: Error) => void;
  /** Told when it has ended so again, or could not be started again. */
  onExit?: (error: Error) => void;
}

export interface EmbeddedServer {
  urls: DatabaseUrls;
  /** Superuser's URL, for migrations. */
  ownerUrl: string;
  /** Whether the server belongs to another process, which stops it. */
  attached: boolean;
  stop(): Promise<void>;
}

/** Thrown where a command that only uses a database finds none. */
export class NoDatabase extends Error {
  constructor(dataDir: string) {
    const remedy = 'run "tally start" or "tally migrate" first, or set DATA_DIR or DB_URL';
    super(`There is no database in ${resolve(dataDir)} yet: ${remedy}.`);
  }
}

/**
 * Starts PostgreSQL on `<dataDir>/postgres` (created when missing), reachable by a private socket only. It ends with
 * this process, however that dies. Throws `DataDirectoryInUse` when another process holds the directory.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const dataDir = resolve(options.dataDir);
  ensureDataDirectory(dataDir);
  const lock = await lockOrAttach(dataDir, options);
  if (!('publish' in lock)) return lock;
  try {
    return await startWithLock(dataDir, lock, options);
  } catch (error) {
    lock.release();
    throw explainDataDirectoryError(dataDir, error);
  }
}

/** Starts it for as long as the work takes. */
export async function withEmbedded<T>(options: EmbeddedOptions, work: (server: EmbeddedServer) => Promise<T>) {
  const server = await startEmbedded(options);
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

async function lockOrAttach(dataDir: string, { attach, secrets }: EmbeddedOptions): Promise<DataLock | EmbeddedServer> {
  for (const deadline = Date.now() + 30_000; ; await sleep(50)) {
    try {
      return await lockDataDirectory(dataDir);
    } catch (error) {
      if (!attach || !(error instanceof DataDirectoryInUse) || Date.now() > deadline) throw error;
      const holder = await readHolder(dataDir);
      if (holder?.socketDir && isAlive(holder.pid))
        return {
          ...getConnectionUrls(holder.socketDir, await readOwnerPassword(dataDir), secrets),
          attached: true,
          stop: async () => {},
        };
    }
  }
}

/** Between taking the lock and telling so, a new holder's file is still that of the one before. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function startWithLock(
  dataDir: string,
  lock: DataLock,
  { secrets, throwaway = false, durable = !throwaway, onExit, onRestart, create = true, settings }: EmbeddedOptions,
): Promise<EmbeddedServer> {
  const account = await chooseAccount(getClusterFolder(dataDir));
  if (throwaway && account) await chown(dataDir, account.uid, account.gid); // for the supervisor, which removes it
  const runtime = await createRuntimeFolder(await findNative(), account);
  try {
    await lock.publish({ pid: process.pid, runtime: runtime.path });
    await removeUnfinished(dataDir);
    if (clusterExists(dataDir)) await stopPreviousServer(getClusterFolder(dataDir));
    else if (!create) throw new NoDatabase(dataDir);
    else await createCluster({ dataDir, native: runtime.native, account, scratch: runtime.path, durable });
    await removeRuntimeFolder(lock.previous?.runtime);
    const serverOptions = { native: runtime.native, runtime: runtime.path, account, durable, settings };
    const firstServer = await startServer(dataDir, { ...serverOptions, throwaway: throwaway ? dataDir : null });
    const socketDir = join(runtime.path, 'socket');
    await lock.publish({ pid: process.pid, runtime: runtime.path, socketDir });
    const createExitError = (code: number | null): Error =>
      new Error(`The embedded PostgreSQL ended by itself (${code}); see ${getLogPath(dataDir)}.`);
    const restart = async (): Promise<SupervisedServer> => {
      await stopPreviousServer(getClusterFolder(dataDir));
      return startServer(dataDir, { ...serverOptions, throwaway: null });
    };
    const server = restartOnce(firstServer, {
      // Throw-away data goes with its server.
      restart: throwaway ? undefined : restart,
      onRestarted: (code) => onRestart?.(createExitError(code)),
      onLost: (code) => onExit?.(createExitError(code)),
    });
    const logLimit = startLogRotation(getLogPath(dataDir));
    return {
      ...getConnectionUrls(socketDir, await readOwnerPassword(dataDir), secrets),
      attached: false,
      async stop() {
        logLimit.stop();
        await server.stop();
        await runtime.remove();
        lock.release();
        if (throwaway) await rm(dataDir, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await runtime.remove();
    throw error;
  }
}

const getLogPath = (dataDir: string): string => join(dataDir, 'postgres.log');

/** Written at its end alone: a killed server that still dies must not write over why ours could not start. */
const NEW_LOG = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_APPEND;

/** Starts the server and waits for connections; retries while processes of a killed one hold its memory. */
async function startServer(
  dataDir: string,
  serverOptions: Omit<ServerOptions, 'data' | 'log'>,
): Promise<SupervisedServer> {
  const logPath = getLogPath(dataDir);
  for (const deadline = Date.now() + 15_000; ; await sleep(100)) {
    const data = await openForChild(getClusterFolder(dataDir), serverOptions.account);
    const log = await open(logPath, NEW_LOG, 0o600);
    const server = superviseServer({ ...serverOptions, data, log: log.fd });
    await Promise.all([data.close(), log.close()]);
    if (await isReady(server, getClusterFolder(dataDir), join(serverOptions.runtime, 'socket'))) return server;
    await server.stop();
    const serverLog = await readFile(logPath, 'utf8');
    if (!/still in use|already exists/.test(serverLog) || Date.now() > deadline)
      throw new Error(
        `The embedded PostgreSQL did not start: ${getLastLines(serverLog) || 'it said nothing'} (log: ${logPath})`,
      );
  }
}

/**
 * The server says so in its pid file, beside its socket: one that was killed may have said it too, and hold the file
 * while it ends. False when ours ended before, or takes minutes to recover.
 */
async function isReady(server: SupervisedServer, cluster: string, socketDir: string): Promise<boolean> {
  let ended = false;
  void server.ended.catch(() => {}).then(() => (ended = true));
  for (const deadline = Date.now() + 300_000; !ended && Date.now() < deadline; await sleep(3)) {
    const pidFile = await readPidFile(cluster);
    if (pidFile?.ready && pidFile.socketDir === socketDir) return true;
  }
  return false;
}

function getConnectionUrls(socketDir: string, owner: string, secrets: EmbeddedOptions['secrets']) {
  const url = (user: string, password: string) =>
    `postgres://${user}:${encodeURIComponent(password)}@/postgres?host=${encodeURIComponent(socketDir)}`;
  return {
    urls: {
      authenticator: url('authenticator', secrets.authenticator),
      service: url(SERVICE_LOGIN, secrets.service),
      assistant: url(ASSISTANT_LOGIN, secrets.assistant),
    },
    ownerUrl: url(OWNER, owner),
  };
}
