import type { Logger } from 'pino';
import type { HttpApp } from './platform/http/app-type.ts';
import type { Jobs } from './platform/jobs/jobs.ts';
import type { SeededPeople, Slice } from './slice.ts';

/** Each slice's part of the first run, in the order of the list. Safe to repeat. */
export async function seedSlices(slices: readonly Slice[], people: SeededPeople): Promise<void> {
  for (const slice of slices) await slice.seed?.(people);
}

/** Asks for what is overdue. Where that fails the service starts all the same: the schedules bring it later. */
export async function enqueueOverdueJobs(slices: readonly Slice[], logger: Logger): Promise<void> {
  for (const slice of slices)
    await slice
      .enqueueOverdueJobs?.()
      .catch((err: unknown) =>
        logger.warn({ err, slice: slice.name }, 'overdue work could not be requested at the start'),
      );
}

/** Does the jobs of every slice, by the clock and as they come. */
export function startWorker(jobs: Jobs, slices: readonly Slice[], logger: Logger) {
  return jobs.startWorker(Object.assign({}, ...slices.map(({ tasks }) => tasks)), {
    schedule: slices.flatMap(({ schedules = [] }) => schedules),
    log: (level, message, details) => logger[level](details ?? {}, message),
  });
}

/** Ends what goes on in the slices, each before those that it stands on. */
export async function closeSlices(slices: readonly Slice[]): Promise<void> {
  for (const slice of slices.toReversed()) await slice.close?.();
}

export interface RunningSlices {
  /** Begins what runs beside requests, once the service listens on `localUrl`. */
  startBackground(localUrl: string): Promise<void>;
  /** Answers what is under way, then ends everything. */
  close(): Promise<void>;
}

/** Runs registered slices beside the application that answers for them. */
export function runSlices(
  slices: readonly Slice[],
  { http, jobs, logger, worker }: { http: HttpApp; jobs: Jobs; logger: Logger; worker: boolean },
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
      if (!worker) return;
      const { stop } = await startWorker(jobs, slices, logger);
      closers.defer(stop);
    },
    async close() {
      // First: a delivery to ourselves that meets a closed door would count as failed.
      await backgroundTasks.disposeAsync();
      await http.close();
      await closers.disposeAsync();
    },
  };
}
