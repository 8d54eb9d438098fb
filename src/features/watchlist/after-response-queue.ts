import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';

export type AfterResponseQueue = ReturnType<typeof createAfterResponseQueue>;

/** Creates a queue for work that must neither delay nor fail a response, such as a backfill or an event. */
export function createAfterResponseQueue(logger: Logger) {
  const pendingWork = new Set<Promise<void>>();
  return {
    /** Starts the work after the response was sent or its client disconnected. Failures are logged. */
    add(response: ServerResponse, description: string, work: () => Promise<unknown>): void {
      // If the client disconnected before this call, the `close` event was already emitted.
      const responseClosed = response.closed
        ? Promise.resolve()
        : new Promise<void>((resolve) => response.once('close', resolve));
      const completion = responseClosed.then(work).then(
        () => {},
        (error: unknown) => logger.warn({ err: error }, `${description} failed after the response`),
      );
      pendingWork.add(completion);
      void completion.then(() => pendingWork.delete(completion));
    },
    /** Waits for running work and for work of responses that are still in progress. */
    async waitUntilIdle(): Promise<void> {
      while (pendingWork.size > 0) await Promise.all(pendingWork);
    },
  };
}
