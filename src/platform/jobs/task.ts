declare const payloadType: unique symbol;

/** A task's name with the type of its payload: `const SEND_MAIL = 'send-mail' as TaskName<{ to: string }>`. */
export type TaskName<Payload> = string & { readonly [payloadType]?: Payload };

export interface TaskHelpers {
  jobId: string;
  /** Number of the attempt, from 1. */
  attempt: number;
  maxAttempts: number;
  /** Aborted when the worker must stop. A long task should react to it. */
  signal: AbortSignal;
}

/**
 * Runs one job. If it throws, the job is retried later (after about e^attempt seconds). A job may run twice if its
 * worker is killed before the completion is recorded, so a task must be idempotent.
 */
export type Task<Payload> = (payload: Payload, helpers: TaskHelpers) => Promise<void>;

/** Options of a job. */
export interface AddOptions {
  /** Earliest start of the job. */
  runAt?: Date | undefined;
  /** Jobs of one queue run one after another. */
  queue?: string | undefined;
  /** A job replaces the waiting job with its key. */
  key?: string | undefined;
  /** Maximum number of attempts (default 25, over about three days). */
  maxAttempts?: number;
  /** Lower values run earlier (default 0). */
  priority?: number;
}

/**
 * Tasks by name. `never` allows each task its own payload type. A task receives the payload that was added under its
 * name.
 */
export type Tasks = Readonly<Record<string, Task<never>>>;

/** A scheduled job. `match` is a cron expression in UTC ("0 22 * * 1-5"). It is added once for all workers. */
export interface Schedule {
  task: string;
  match: string;
  payload?: Record<string, unknown>;
  /** Jobs of one queue run one after another. */
  queue?: string;
  /** Maximum age in minutes of missed runs that are added after a pause (default 0). */
  backfillMinutes?: number;
}
