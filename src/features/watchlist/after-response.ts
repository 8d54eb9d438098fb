import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';

export type AfterResponse = ReturnType<typeof createAfterResponse>;

/** Work that a response must not wait for and cannot fail with, such as a backfill or an event. */
export function createAfterResponse(logger: Logger) {
  const underWay = new Set<Promise<void>>();
  return {
    /** Begins the work once the response has left (or its client has gone); a failure is logged. */
    add(response: ServerResponse, what: string, work: () => Promise<unknown>): void {
      // A client that has gone before this was asked for closed the response then; it is not told again.
      const left = response.closed
        ? Promise.resolve()
        : new Promise<void>((resolve) => response.once('close', resolve));
      const done = left.then(work).then(
        () => {},
        (error: unknown) => logger.warn({ err: error }, `${what} failed after the response`),
      );
      underWay.add(done);
      void done.then(() => underWay.delete(done));
    },
    /** Waits for what has begun, and for what is still to come of responses under way. */
    async settled(): Promise<void> {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
