import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Database } from '../database/connect.ts';
import { addJobInTransaction } from './add-job.ts';
import { addJobMetrics } from './metrics.ts';
import { insertJobs, type JobRequest, queueExists } from './queries.ts';
import type { AddOptions, TaskName, Tasks } from './task.ts';
import { startWorker, type Worker, type WorkerOptions } from './worker.ts';

export interface Jobs {
  /** Adds a job in a statement of its own; `addJobInTransaction` adds one inside a transaction. Returns its id. */
  add<Payload extends object>(
    task: TaskName<Payload>,
    payload: NoInfer<Payload>,
    options?: AddOptions,
  ): Promise<string>;
  /** Adds several jobs in one statement. Keys must differ, and are locked in the order given: sort them. */
  addAll(requests: readonly JobRequest[]): Promise<void>;
  /** Starts doing jobs in this process. */
  startWorker(tasks: Tasks, options?: WorkerOptions): Promise<Worker>;
  /** Whether jobs can be added, and done where this process has a worker; for readiness. Never throws. */
  isQueueReady(): Promise<boolean>;
}

/** The queue on this database; `migrateJobs` must have run. `metrics`: where it shows how it keeps up. */
export function createJobs(database: Database, metrics?: { registry: Registry; logger: Logger }): Jobs {
  let worker: Worker | undefined;
  if (metrics) addJobMetrics(metrics.registry, database.service, metrics.logger);
  return {
    add: (task, payload, options) => addJobInTransaction(database.service, task, payload, options),
    addAll: async (requests) => {
      if (requests.length > 0) await insertJobs(database.service, requests);
    },
    startWorker: async (tasks, options) => (worker = await startWorker(database, tasks, options)),
    async isQueueReady() {
      try {
        return (await queueExists(database.service)) && worker?.isWorking !== false;
      } catch {
        return false;
      }
    },
  };
}
