import type { StreamEvent } from '../contract.ts';

/** An answer that this process writes. */
export interface LiveAnswer {
  readonly signal: AbortSignal;
  emit(event: StreamEvent): void;
}

/** The answers under way in this process: who listens to them, and how they are stopped. */
export type LiveAnswers = ReturnType<typeof createLiveAnswers>;

/** Longest time that an answer may take. */
const ANSWER_MS = 150_000;

export function createLiveAnswers(onError: (error: unknown) => void) {
  const running = new Map<string, { abort: AbortController; done: Promise<void> }>();
  let closed = false;
  return {
    /**
     * Writes an answer beside the request that asked for it: `listen` hears every event, and the answer goes on where
     * it has gone.
     */
    run(id: string, listen: (event: StreamEvent) => void, work: (answer: LiveAnswer) => Promise<void>): void {
      const abort = new AbortController();
      if (closed) abort.abort('interrupted');
      const timer = setTimeout(() => abort.abort('timed_out'), ANSWER_MS);
      const done = work({ signal: abort.signal, emit: listen })
        .catch(onError)
        .finally(() => {
          clearTimeout(timer);
          running.delete(id);
        });
      running.set(id, { abort, done });
    },
    stop: (id: string) => running.get(id)?.abort.abort('stopped'),
    /** Interrupts all of them and waits until they are stored. No new one begins. */
    async close(): Promise<void> {
      closed = true;
      for (const { abort } of running.values()) abort.abort('interrupted');
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}
