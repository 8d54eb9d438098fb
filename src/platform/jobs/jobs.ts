import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Database } from '../database/connect.ts';
import { addJobInTransaction } from './add-job.ts';
import { addJobDurations, addJobMetrics } from './metrics.ts';
import { insertJobs, type JobRequest, queueExists } from './queries.ts';
import type { AddOptions, TaskName, Tasks } from './task.ts';
import { startWorker, type Worker, type WorkerOptions } from './worker.ts';

export interface Jobs {
  /** Adds a job in its own statement and returns its id. Use `addJobInTransaction` inside a transaction. */
  add<Payload extends object>(
    task: TaskName<Payload>,
    payload: NoInfer<Payload>,
    options?: AddOptions,
  ): Promise<string>;
  /** Adds several jobs in one statement. Keys must be distinct. They are locked in the given order, so sort them. */
  addAll(requests: readonly JobRequest[]): Promise<void>;
  /** Starts a worker in this process. */
  startWorker(tasks: Tasks, options?: WorkerOptions): Promise<Worker>;
  /** Returns whether jobs can be added and, if this process has a worker, run. Used for readiness. Never throws. */
  isQueueReady(): Promise<boolean>;
}

/** Creates the queue on this database, after `migrateJobs` has run. `metrics` is the registry for its metrics. */
export function createJobs(database: Database, metrics?: { registry: Registry; logger: Logger }): Jobs {
  let worker: Worker | undefined;
  if (metrics) addJobMetrics(metrics.registry, database.service, metrics.logger);
  const observe = metrics && addJobDurations(metrics.registry);
  return {
    add: (task, payload, options) => addJobInTransaction(database.service, task, payload, options),
    addAll: async (requests) => {
      if (requests.length > 0) await insertJobs(database.service, requests);
    },
    async startWorker(tasks, options) {
      worker = await startWorker(database, tasks, { ...options, ...(observe && { observe }) });
      return worker;
    },
    async isQueueReady() {
      try {
        return (await queueExists(database.service)) && worker?.isWorking !== false;
      } catch {
        return false;
      }
    },
  };
}
