import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Timeout in ms after which a stopping server is killed, because the developer waits for it. */
const STOP_TIMEOUT_MS = 3_000;

interface ServerOptions {
  /** Environment variables that override those of this process. */
  env: Readonly<Record<string, string>>;
  args: readonly string[];
  /** Options of Node that open the server to a debugger. */
  inspect: readonly string[];
  /** Logs a line about the server's state. */
  log(line: string): void;
}

export interface SupervisedServer {
  /** Returns the URL of the server once it listens, even during a restart. Rejects if the last start failed. */
  url(): Promise<string>;
  /** Restarts the server. Changes during a restart cause one more restart together. */
  restart(reason: string): void;
  /** Stops the server permanently. */
  stop(): Promise<void>;
}

/** Starts tools/dev/serve.ts and restarts it when it exits. */
export function superviseServer(options: ServerOptions): SupervisedServer {
  let child = spawnServer(options);
  let url = waitForUrl(child);
  let restarting: Promise<void> | undefined;
  let pendingReason: string | undefined;
  let stopped = false;

  async function restartWhilePending(): Promise<void> {
    while (pendingReason !== undefined && !stopped) {
      const reason = pendingReason;
      const startedAt = performance.now();
      pendingReason = undefined;
      await stopProcess(child);
      if (stopped) return;
      child = spawnServer(options);
      url = waitForUrl(child);
      const outcome = await url.then(
        () => `server restarted in ${((performance.now() - startedAt) / 1000).toFixed(2)} s`,
        (error: Error) => `${error.message}; it starts again when a file changes`,
      );
      options.log(`${reason}: ${outcome}`);
    }
  }

  return {
    async url() {
      await restarting;
      return url;
    },
    restart(reason) {
      pendingReason = reason;
      restarting ??= restartWhilePending().finally(() => {
        restarting = undefined;
      });
    },
    async stop() {
      stopped = true;
      await stopProcess(child);
      await restarting;
    },
  };
}

const spawnServer = ({ env, args, inspect }: ServerOptions): ChildProcess =>
  spawn(process.execPath, [...inspect, 'tools/dev/serve.ts', ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });

function waitForUrl(child: ChildProcess): Promise<string> {
  const address = new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve((message as { url: string }).url));
    child.once('exit', (code, signal) => reject(new Error(`the server ended (${signal ?? code})`)));
  });
  // The next request reads the rejection. Until then it counts as handled.
  address.catch(() => {});
  return address;
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timeout = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timeout);
}
