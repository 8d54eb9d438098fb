import type { Logger } from 'pino';
import type { HttpApp } from './platform/http/app-type.ts';
import type { Jobs } from './platform/jobs/jobs.ts';
import type { SeededPeople, Slice } from './slice.ts';

/** Runs the seed step of each slice in the order of the list. Safe to repeat. */
export async function seedSlices(slices: readonly Slice[], people: SeededPeople): Promise<void> {
  for (const slice of slices) await slice.seed?.(people);
}

/** Enqueues overdue jobs. If that fails the service still starts, because the schedules enqueue them later. */
export async function enqueueOverdueJobs(slices: readonly Slice[], logger: Logger): Promise<void> {
  for (const slice of slices)
    await slice
      .enqueueOverdueJobs?.()
      .catch((err: unknown) => logger.warn({ err, slice: slice.name }, 'failed to enqueue overdue jobs at startup'));
}

/** Starts the worker for the jobs and schedules of every slice. */
export function startWorker(jobs: Jobs, slices: readonly Slice[], logger: Logger) {
  return jobs.startWorker(Object.assign({}, ...slices.map(({ tasks }) => tasks)), {
    schedule: slices.flatMap(({ schedules = [] }) => schedules),
    log: (level, message, details) => logger[level](details ?? {}, message),
  });
}

/** Closes the slices, each before those it depends on. */
export async function closeSlices(slices: readonly Slice[]): Promise<void> {
  for (const slice of slices.toReversed()) await slice.close?.();
}

export interface RunningSlices {
  /** Starts background work once the service listens on `localUrl`. */
  startBackground(localUrl: string): Promise<void>;
  /** Finishes running requests, then stops everything. */
  close(): Promise<void>;
}

/** Runs registered slices beside the application that serves them. `jobs` is absent if this process runs no jobs. */
export function runSlices(
  slices: readonly Slice[],
  { http, logger, jobs }: { http: HttpApp; logger: Logger; jobs?: Jobs | undefined },
): RunningSlices {
  const backgroundTasks = new AsyncDisposableStack();
  const closers = new AsyncDisposableStack();
  closers.defer(() => closeSlices(slices));
  return {
    async startBackground(localUrl) {
      for (const slice of slices) {
        const stop = slice.startBackground?.(localUrl);
        if (stop) backgroundTasks.defer(stop);
      }
      await enqueueOverdueJobs(slices, logger);
      if (!jobs) return;
      const { stop } = await startWorker(jobs, slices, logger);
      closers.defer(stop);
    },
    async close() {
      // Background tasks end first, because a webhook to our own closed server would count as failed.
      await backgroundTasks.disposeAsync();
      await http.close();
      await closers.disposeAsync();
    },
  };
}
