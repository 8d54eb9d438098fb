import type { StreamEvent } from '../contract.ts';

/** An answer that this process writes. */
export interface RunningAnswer {
  readonly signal: AbortSignal;
  emit(event: StreamEvent): void;
}

/** The answers under way in this process: who listens to them, and how they are stopped. */
export type AnswerRegistry = ReturnType<typeof createAnswerRegistry>;

/** Longest time that an answer may take. */
const ANSWER_TIMEOUT_MS = 150_000;

export function createAnswerRegistry(onError: (error: unknown) => void) {
  const running = new Map<string, { abort: AbortController; done: Promise<void> }>();
  let closed = false;
  return {
    /**
     * Writes an answer beside the request that asked for it: `listen` hears every event, and the answer goes on where
     * it has gone.
     */
    run(id: string, onEvent: (event: StreamEvent) => void, work: (answer: RunningAnswer) => Promise<void>): void {
      const abort = new AbortController();
      if (closed) abort.abort('interrupted');
      const timer = setTimeout(() => abort.abort('timed_out'), ANSWER_TIMEOUT_MS);
      const done = work({ signal: abort.signal, emit: onEvent })
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
