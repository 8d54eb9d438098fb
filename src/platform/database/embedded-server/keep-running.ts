import type { Supervised } from './supervise.ts';

interface KeepRunningOptions {
  /** Starts another server in the place of one that ended by itself; left out, none is. */
  restart?: (() => Promise<Supervised>) | undefined;
  /** Told of the end after which a server was started again. */
  restarted?: ((code: number | null) => void) | undefined;
  /** Told of an end for good: the second one, or one after which no other could be started. */
  lost: (code: number | null) => void;
}

/**
 * Starts a server that ended without having been asked again, once: a second end says that something is wrong which
 * another start does not mend. `stop` ends whichever runs.
 */
export function keepRunning(
  first: Supervised,
  { restart, restarted, lost }: KeepRunningOptions,
): Pick<Supervised, 'stop'> {
  let stopping = false;
  let current = Promise.resolve(first);
  const watch = (server: Supervised, again: typeof restart): void =>
    void server.ended.then(async (code) => {
      if (stopping) return;
      if (!again) return lost(code);
      await server.stop();
      current = again();
      try {
        watch(await current, undefined);
        restarted?.(code);
      } catch {
        if (!stopping) lost(code);
      }
    });
  watch(first, restart);
  return {
    async stop() {
      stopping = true;
      const running = await current.catch(() => undefined);
      await running?.stop();
    },
  };
}
