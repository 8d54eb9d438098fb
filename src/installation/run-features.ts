import type { Logger } from 'pino';
import type { HttpApp } from '../platform/http/app-type.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { SeededPeople, Feature } from '../feature.ts';

/** Runs the seed step of each feature in the order of the list. Safe to repeat. */
export async function seedFeatures(features: readonly Feature[], people: SeededPeople): Promise<void> {
  for (const feature of features) await feature.seed?.(people);
}

/** Enqueues overdue jobs. If that fails the service still starts, because the schedules enqueue them later. */
export async function enqueueOverdueJobs(features: readonly Feature[], logger: Logger): Promise<void> {
  for (const feature of features)
    await feature
      .enqueueOverdueJobs?.()
      .catch((err: unknown) =>
        logger.warn({ err, feature: feature.name }, 'failed to enqueue overdue jobs at startup'),
      );
}

/** Starts the worker for the jobs and schedules of every feature. */
export function startWorker(jobs: Jobs, features: readonly Feature[], logger: Logger) {
  return jobs.startWorker(Object.assign({}, ...features.map(({ tasks }) => tasks)), {
    schedule: features.flatMap(({ schedules = [] }) => schedules),
    log: (level, message, details) => logger[level](details ?? {}, message),
  });
}

/** Closes the features, each before those it depends on. */
export async function closeFeatures(features: readonly Feature[]): Promise<void> {
  for (const feature of features.toReversed()) await feature.close?.();
}

export interface RunningFeatures {
  /** Starts background work once the service listens on `localUrl`. */
  startBackground(localUrl: string): Promise<void>;
  /** Finishes running requests, then stops everything. */
  close(): Promise<void>;
}

/** Runs registered features beside the application that serves them. `jobs` is absent if this process runs no jobs. */
export function runFeatures(
  features: readonly Feature[],
  { http, logger, jobs }: { http: HttpApp; logger: Logger; jobs?: Jobs | undefined },
): RunningFeatures {
  const backgroundTasks = new AsyncDisposableStack();
  const closers = new AsyncDisposableStack();
  closers.defer(() => closeFeatures(features));
  return {
    async startBackground(localUrl) {
      for (const feature of features) {
        const stop = feature.startBackground?.(localUrl);
        if (stop) backgroundTasks.defer(stop);
      }
      await enqueueOverdueJobs(features, logger);
      if (!jobs) return;
      const { stop } = await startWorker(jobs, features, logger);
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
