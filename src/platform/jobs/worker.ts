import { tracingChannel } from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Task as LibraryTask, Runner, WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { Database } from '../database/connect.ts';
import { isConnectionLoss, isDatabaseOutage } from '../database/connection-loss.ts';
import { withLongStatements } from '../database/statement-timeouts.ts';
import { releaseJobsOfDeadWorkers, holdLivenessLock } from './dead-workers.ts';
import { CompletionRetryPool, markCompletions } from './worker-pool.ts';
import type { Schedule, Task, Tasks } from './task.ts';

const LOG_LEVELS = { error: 'error', warning: 'warn', info: 'debug', debug: 'debug' } as const;

type LogLevel = 'error' | 'warn' | 'info' | 'debug';
/** Receives the task of a run that ended, whether it succeeded, and its seconds. */
export type JobObserver = (task: string, succeeded: boolean, seconds: number) => void;
type JobLog = (level: LogLevel, message: string, details?: object) => void;

export interface WorkerOptions {
  /** Maximum number of concurrent jobs (default 4). */
  concurrency?: number;
  schedule?: readonly Schedule[];
  log?: JobLog;
  /** Receives each ended run of a job. */
  observe?: JobObserver;
  /** Interval in ms of the polls for overdue jobs (default 2000). New jobs notify the worker immediately. */
  pollIntervalMs?: number;
}

export interface Worker {
  /** False while the worker cannot reach the queue. */
  readonly isWorking: boolean;
  /** Stops taking jobs, waits for running ones (aborts their signal after 5 s), and closes the connections. */
  stop(): Promise<void>;
}

/** Runs jobs until stopped, and restarts when the database is available again. */
export async function startWorker(database: Database, tasks: Tasks, options: WorkerOptions = {}): Promise<Worker> {
  const { concurrency = 4, log = () => {} } = options;
  const { worker: url = database.urls.service } = database.urls;
  const state = { stopping: false, working: true };
  const logError = (failure: string, error: Error): void =>
    log(toLogLevel('warn', error), `${failure}: ${error.message}`);
  const onError = (error: Error): void => {
    if (!state.stopping) logError('worker statement or connection failed', error);
  };
  const pool = new CompletionRetryPool(url, concurrency + 2, onError);

  let current = await startRun(url, pool, tasks, options).catch(async (error: unknown) => {
    await pool.close();
    throw error;
  });
  const releaseDeadWorkers = () =>
    releaseJobsOfDeadWorkers(database.service).then(
      (deadWorkers) => {
        if (deadWorkers.length > 0) log('warn', `released the jobs of dead workers: ${deadWorkers.join(', ')}`);
      },
      (error: Error) => logError('failed to release the jobs of dead workers', error),
    );
  const cleanupTimer = setInterval(() => {
    void releaseDeadWorkers();
  }, 15_000);
  cleanupTimer.unref();
  void releaseDeadWorkers();

  const restart = async (): Promise<void> => {
    state.working = false;
    await sleep(1_000);
    const restarted = await startRun(url, pool, tasks, options).catch((error: Error) =>
      logError('failed to restart the worker; retrying', error),
    );
    if (!restarted) return;
    current = restarted;
    state.working = true;
    if (state.stopping) await current.runner.stop();
  };
  const runLoop = (async () => {
    let isRunning = true;
    while (isRunning) {
      await current.ended.catch((error: Error) => logError('worker ended', error));
      isRunning = !state.stopping;
      if (isRunning) await restart();
    }
  })();

  const stop = async (): Promise<void> => {
    state.stopping = true;
    clearInterval(cleanupTimer);
    // A runner that has already ended rejects.
    await current.runner.stop().catch(() => {});
    await runLoop;
    await pool.close();
  };
  let stopped: Promise<void> | undefined;
  return {
    get isWorking() {
      return state.working;
    },
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** `ended` settles after the runner has ended and its liveness lock is released. */
interface WorkerRun {
  runner: Runner;
  ended: Promise<void>;
}

async function startRun(
  url: string,
  pool: pg.Pool,
  tasks: Tasks,
  { concurrency = 4, schedule = [], log = () => {}, observe = () => {}, pollIntervalMs = 2_000 }: WorkerOptions,
): Promise<WorkerRun> {
  const { Logger, parseCronItems, run: runGraphile } = await import('graphile-worker');
  const events = new EventEmitter() as WorkerEvents;
  markCompletions(events);
  let livenessLock: ReturnType<typeof holdLivenessLock> | undefined;
  events.on('pool:create', ({ workerPool }) => {
    livenessLock = holdLivenessLock(url, workerPool.id);
  });
  events.on('job:failed', ({ job, error }) =>
    log('error', `job ${job.task_identifier} failed permanently: ${String(error)}`, { job: job.id }),
  );
  const runner = await runGraphile({
    pgPool: pool,
    taskList: Object.fromEntries(
      Object.entries(tasks).map(([name, task]) => [name, toLibraryTask(name, task, observe)]),
    ),
    parsedCronItems: parseCronItems(
      schedule.map(({ task, match, payload, queue, backfillMinutes = 0 }) => ({
        task,
        match,
        ...(payload && { payload }),
        options: { backfillPeriod: backfillMinutes * 60_000, ...(queue !== undefined && { queueName: queue }) },
      })),
    ),
    concurrency,
    pollInterval: pollIntervalMs,
    noHandleSignals: true,
    events,
    logger: new Logger(
      () => (level, message, details) => log(toLogLevel(LOG_LEVELS[level], details?.['error']), message),
    ),
  });
  const ended = (async () => {
    try {
      await runner.promise;
    } finally {
      await livenessLock?.stop();
    }
  })();
  // Callers await `ended` too and handle its rejection.
  ended.catch(() => {});
  return { runner, ended };
}

/** Returns `debug` for a lost connection, which the database handle reports once, and else the level. */
const toLogLevel = (level: LogLevel, error: unknown): LogLevel =>
  isConnectionLoss(error) || isDatabaseOutage(error) ? 'debug' : level;

/** Diagnostics channel of each job, which tracing subscribes to. */
const jobChannel = tracingChannel<string, { task: string; attempt: number }>('tally:job');

const FOREIGN_KEY_VIOLATION = '23503';

/**
 * Runs a task, and runs it again if a foreign key is violated: a row that the task had read, such as its member, was
 * deleted during the run. The second run does not find the row, and ends without an error.
 */
async function repeatAfterDeletion(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if ((error as { code?: unknown } | undefined)?.code !== FOREIGN_KEY_VIOLATION) throw error;
    await run();
  }
}

function toLibraryTask(name: string, task: Task<never>, observe: JobObserver): LibraryTask {
  return (payload, { job, abortSignal }) =>
    jobChannel.tracePromise(
      async () => {
        const startedAt = performance.now();
        let succeeded = false;
        try {
          await repeatAfterDeletion(() =>
            withLongStatements(async () =>
              task(payload as never, {
                jobId: job.id,
                attempt: job.attempts,
                maxAttempts: job.max_attempts,
                signal: abortSignal ?? new AbortController().signal,
              }),
            ),
          );
          succeeded = true;
        } finally {
          observe(name, succeeded, (performance.now() - startedAt) / 1000);
        }
      },
      { task: name, attempt: job.attempts },
    );
}
