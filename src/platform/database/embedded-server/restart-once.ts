import type { SupervisedServer } from './supervise.ts';

interface RestartOnceOptions {
  /** Starts another server in the place of one that ended by itself; left out, none is. */
  restart?: (() => Promise<SupervisedServer>) | undefined;
  /** Told of the end after which a server was started again. */
  onRestarted?: ((code: number | null) => void) | undefined;
  /** Told of an end for good: the second one, or one after which no other could be started. */
  onLost: (code: number | null) => void;
}

/**
 * Starts a server that ended without having been asked again, once: a second end says that something is wrong which
 * another start does not mend. `stop` ends whichever runs.
 */
export function restartOnce(
  firstServer: SupervisedServer,
  { restart, onRestarted, onLost }: RestartOnceOptions,
): Pick<SupervisedServer, 'stop'> {
  let stopping = false;
  let current = Promise.resolve(firstServer);
  const watch = (server: SupervisedServer, restartServer: typeof restart): void =>
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
  watch(firstServer, restart);
  return {
    async stop() {
      stopping = true;
      const running = await current.catch(() => undefined);
      await running?.stop();
    },
  };
}
