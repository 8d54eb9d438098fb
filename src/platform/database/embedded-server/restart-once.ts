import type { SupervisedServer } from './supervise.ts';

interface RestartOnceOptions {
  /** Starts a replacement of a server that exited unexpectedly. Without it there is no restart. */
  restart?: (() => Promise<SupervisedServer>) | undefined;
  /** Called with the exit code after a restart. */
  onRestarted?: ((code: number | null) => void) | undefined;
  /** Called with the exit code of the final exit: the second one, or one whose restart failed. */
  onLost: (code: number | null) => void;
}

/**
 * Restarts a server once if it exits unexpectedly. A second exit indicates a problem that a restart does not solve.
 * `stop` ends the running server.
 */
export function restartOnce(
  firstServer: SupervisedServer,
  { restart, onRestarted, onLost }: RestartOnceOptions,
): Pick<SupervisedServer, 'stop'> {
  let stopping = false;
  let current = Promise.resolve(firstServer);
  const watch = (server: SupervisedServer, restartServer: typeof restart): void => {
    void server.ended.then(async (code) => {
      if (stopping) return;
      if (!restartServer) return onLost(code);
      await server.stop();
      current = restartServer();
      try {
        watch(await current, undefined);
        onRestarted?.(code);
      } catch {
        if (!stopping) onLost(code);
      }
    });
  };
  watch(firstServer, restart);
  return {
    async stop() {
      stopping = true;
      const running = await current.catch(() => undefined);
      await running?.stop();
    },
  };
}
