import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';

export type AfterResponseQueue = ReturnType<typeof createAfterResponseQueue>;

/** Work that a response must not wait for and cannot fail with, such as a backfill or an event. */
export function createAfterResponseQueue(logger: Logger) {
  const pendingWork = new Set<Promise<void>>();
  return {
    /** Begins the work once the response has left (or its client has gone); a failure is logged. */
    add(response: ServerResponse, description: string, work: () => Promise<unknown>): void {
      // A client that has gone before this was asked for closed the response then; it is not told again.
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
    /** Waits for what has begun, and for what is still to come of responses under way. */
    async waitUntilIdle(): Promise<void> {
      while (pendingWork.size > 0) await Promise.all(pendingWork);
    },
  };
}
