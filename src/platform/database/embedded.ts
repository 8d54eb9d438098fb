import { constants } from 'node:fs';
import { chown, open, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseUrls } from './connect.ts';
import { isConnectionLoss, isDatabaseOutage } from './connection-loss.ts';
import {
  DataDirectoryError,
  ensureDataDirectory,
  explainDataDirectoryError,
  getClusterFolder,
  hasEmbeddedDatabase,
} from './data-directory.ts';
import { DISK_FULL_LINE } from './disk-full.ts';
import { chooseAccount } from './embedded-server/server-account.ts';
import { findNative } from './embedded-server/binaries.ts';
import { openForChild } from './embedded-server/child-folder.ts';
import {
  createCluster,
  createServerError,
  summarizeOutput,
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
  /** Passwords of the logins. `migrate(ownerUrl, { logins: urls })` sets them on the server. */
  secrets: { authenticator: string; service: string; assistant: string };
  /** Uses a server that already runs on this directory: for the command line and a separate worker. */
  attach?: boolean;
  /** Whether to create a missing database (default). Otherwise `NoDatabase` is thrown. */
  create?: boolean;
  /** Server settings that replace ours, used by a standby in tests. */
  settings?: Readonly<Record<string, string>>;
  /** `false` trades safety against power loss for speed, in tests. */
  durable?: boolean;
  /** Removes the data directory when the server exits, even if this process is killed. Not durable. */
  throwaway?: boolean;
  /** Called when the server has exited unexpectedly and was restarted, which happens once. */
  onRestart?: (error: Error) => void;
  /** Called when the server has exited again, or could not be restarted. */
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

/** Thrown when a command that only uses a database finds none. */
export class NoDatabase extends DataDirectoryError {
  constructor(dataDir: string) {
    const remedy = 'run "tally start" or "tally migrate" first, or set DATA_DIR or DB_URL';
    super(`No database in ${resolve(dataDir)} yet: ${remedy}.`);
  }
}

/**
 * Starts PostgreSQL on `<dataDir>/postgres` (created if missing), reachable only by a private socket. It stops when
 * this process ends in any way. Throws `DataDirectoryInUse` if another process holds the directory.
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

/** Starts the server for the duration of the work. */
export async function withEmbedded<T>(options: EmbeddedOptions, work: (server: EmbeddedServer) => Promise<T>) {
  const server = await startEmbedded(options);
  try {
    return await work(server);
  } catch (error) {
    throw await explainLostServer(options.dataDir, error);
  } finally {
    await server.stop();
  }
}

/** SQLSTATE of a database whose folder is missing, and of damaged tables and indexes. */
const DAMAGED_CODES = new Set(['3D000', 'XX001', 'XX002']);

/**
 * Returns a lost connection to the embedded server as a sentence about the disk if the server's log names a full one,
 * and an error about its damaged files as one with a remedy. A server that cannot write its log of changes ends all
 * connections. Returns any other error unchanged.
 */
export async function explainLostServer(dataDir: string, error: unknown): Promise<unknown> {
  const { code = '', message } = (error ?? {}) as Error & { code?: string };
  if (DAMAGED_CODES.has(code))
    return new DataDirectoryError(
      `The database ${getClusterFolder(resolve(dataDir))} is damaged (${message}): restore a backup into another DATA_DIR.`,
      { cause: error },
    );
  if (!isConnectionLoss(error) && !isDatabaseOutage(error)) return error;
  const [diskFull] = DISK_FULL_LINE.exec(await readFile(getLogPath(dataDir), 'utf8').catch(() => '')) ?? [];
  return diskFull === undefined ? error : explainDataDirectoryError(dataDir, new Error(diskFull, { cause: error }));
}

async function lockOrAttach(dataDir: string, options: EmbeddedOptions): Promise<DataLock | EmbeddedServer> {
  const deadline = Date.now() + 30_000;
  let result = await tryLockOrAttach(dataDir, options, deadline);
  while (!result) {
    await sleep(50);
    result = await tryLockOrAttach(dataDir, options, deadline);
  }
  return result;
}

/** Returns undefined while the lock is held and its holder's server is not ready. Throws after the deadline. */
async function tryLockOrAttach(
  dataDir: string,
  { attach, secrets }: EmbeddedOptions,
  deadline: number,
): Promise<DataLock | EmbeddedServer | undefined> {
  try {
    return await lockDataDirectory(dataDir);
  } catch (error) {
    if (!attach || !(error instanceof DataDirectoryInUse) || Date.now() > deadline) throw error;
    const holder = await readHolder(dataDir);
    if (!holder?.socketDir || !isAlive(holder.pid)) return undefined;
    return {
      ...getConnectionUrls(holder.socketDir, await readOwnerPassword(dataDir), secrets),
      attached: true,
      stop: async () => {},
    };
  }
}

/**
 * Returns whether the process exists. A new holder takes the lock before it writes its file, so the file may still be
 * that of the previous holder.
 */
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
    if (hasEmbeddedDatabase(dataDir)) await stopPreviousServer(getClusterFolder(dataDir));
    else if (!create) throw new NoDatabase(dataDir);
    else await createCluster({ dataDir, native: runtime.native, account, scratch: runtime.path, durable });
    await removeRuntimeFolder(lock.previous?.runtime);
    const ownerPassword = await readOwnerPassword(dataDir);
    const serverOptions = { native: runtime.native, runtime: runtime.path, account, durable, settings };
    const firstServer = await startServer(dataDir, { ...serverOptions, throwaway: throwaway ? dataDir : null });
    const socketDir = join(runtime.path, 'socket');
    await lock.publish({ pid: process.pid, runtime: runtime.path, socketDir });
    const createExitError = (code: number | null): Error =>
      new Error(`The embedded PostgreSQL exited unexpectedly (${code}); see ${getLogPath(dataDir)}.`);
    const restart = async (): Promise<SupervisedServer> => {
      await stopPreviousServer(getClusterFolder(dataDir));
      return startServer(dataDir, { ...serverOptions, throwaway: null });
    };
    const server = restartOnce(firstServer, {
      // Throw-away data is removed with its server, so there is no restart.
      restart: throwaway ? undefined : restart,
      onRestarted: (code) => onRestart?.(createExitError(code)),
      onLost: (code) => onExit?.(createExitError(code)),
    });
    const logLimit = startLogRotation(getLogPath(dataDir));
    return {
      ...getConnectionUrls(socketDir, ownerPassword, secrets),
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

/**
 * Flags of the log, which is truncated at the start and then only appended to. A killed server that is still exiting
 * must not overwrite the error of ours.
 */
const NEW_LOG = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_APPEND;

/** Starts the server and waits until it is ready. Retries while processes of a killed server hold its memory. */
async function startServer(
  dataDir: string,
  serverOptions: Omit<ServerOptions, 'data' | 'log'>,
): Promise<SupervisedServer> {
  const logPath = getLogPath(dataDir);
  const deadline = Date.now() + 15_000;
  let serverLog = '';
  let canRetry = false;
  do {
    if (canRetry) await sleep(100);
    const data = await openForChild(getClusterFolder(dataDir), serverOptions.account);
    const log = await open(logPath, NEW_LOG, 0o600);
    const server = superviseServer({ ...serverOptions, data, log: log.fd });
    await Promise.all([data.close(), log.close()]);
    if (await isReady(server, getClusterFolder(dataDir), join(serverOptions.runtime, 'socket'))) return server;
    await server.stop();
    serverLog = await readFile(logPath, 'utf8');
    canRetry = /still in use|already exists/.test(serverLog) && Date.now() <= deadline;
  } while (canRetry);
  throw createServerError(
    `The embedded PostgreSQL did not start: ${summarizeOutput(serverLog) || 'no output'} (log: ${logPath}); correct ` +
      'what it names, or restore a backup into another DATA_DIR.',
    serverLog,
  );
}

/**
 * Waits until postmaster.pid contains our socket directory and the status `ready`. A killed server may have left an
 * older file. Returns false if our server exited before, or if its recovery takes minutes.
 */
async function isReady(server: SupervisedServer, cluster: string, socketDir: string): Promise<boolean> {
  let ended = false;
  void server.ended
    .catch(() => {})
    .then(() => {
      ended = true;
    });
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
