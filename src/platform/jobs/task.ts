declare const payloadType: unique symbol;

/** A task's name with the shape of its payload: `const SEND_MAIL = 'send-mail' as TaskName<{ to: string }>`. */
export type TaskName<Payload> = string & { readonly [payloadType]?: Payload };

export interface TaskHelpers {
  jobId: string;
  /** 1 for the first try. */
  attempt: number;
  maxAttempts: number;
  /** Aborted when the worker must stop now; a task that runs long should heed it. */
  signal: AbortSignal;
}

/**
 * Does one job. A thrown error leads to another try later (about e^attempt seconds). A job can be done twice when its
 * worker is killed between the work and the note of it, so a task is written to be repeatable.
 */
export type Task<Payload> = (payload: Payload, helpers: TaskHelpers) => Promise<void>;

/** How a job is added. */
export interface AddOptions {
  /** Not before this moment. */
  runAt?: Date | undefined;
  /** Jobs of one queue run one after another. */
  queue?: string | undefined;
  /** A second job with the same key replaces the waiting first one instead of joining it. */
  key?: string | undefined;
  /** Tries in all (default 25, over about three days). */
  maxAttempts?: number;
  /** Smaller runs earlier (default 0). */
  priority?: number;
}

/** Tasks by name. `never` lets each have a payload of its own; what was added under the name arrives. */
export type Tasks = Readonly<Record<string, Task<never>>>;

/** A job that the clock adds: `match` is a cron line in UTC ("0 22 * * 1-5"). Added once, however many workers run. */
export interface Schedule {
  task: string;
  match: string;
  payload?: Record<string, unknown>;
  /** Jobs of one queue run one after another. */
  queue?: string;
  /** Minutes of missed times that are made up for after a pause (default 0). */
  backfillMinutes?: number;
}
