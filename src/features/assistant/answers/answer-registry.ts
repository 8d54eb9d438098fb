import type { StreamEvent } from '../contract.ts';

/** An answer that this process is writing. */
export interface RunningAnswer {
  readonly signal: AbortSignal;
  emit(event: StreamEvent): void;
}

/** The answers in progress in this process, with their listeners and their abort controllers. */
export type AnswerRegistry = ReturnType<typeof createAnswerRegistry>;

/** Maximum duration of an answer in ms. */
const ANSWER_TIMEOUT_MS = 150_000;

export function createAnswerRegistry(onError: (error: unknown) => void) {
  const running = new Map<string, { abort: AbortController; done: Promise<void> }>();
  let closed = false;
  return {
    /**
     * Writes an answer in the background and passes every event to `onEvent`. The answer continues after the client
     * disconnects.
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
    /** Interrupts all answers and waits until they are stored. New answers are rejected. */
    async close(): Promise<void> {
      closed = true;
      for (const { abort } of running.values()) abort.abort('interrupted');
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}
