import { Cancelled } from '../count-body.ts';
import type { CountReply, CountTask, CountTaskOutcome } from './count-worker.ts';
import { PoolWorker } from './pool-worker.ts';

/** The count exceeded the time limit, and its thread was stopped. */
export class CountTimeoutError extends Error {
  override readonly name = 'CountTimeoutError';
}
/** The thread crashed or threw during the count. Other counts are not affected. */
export class WorkerCrashedError extends Error {
  override readonly name = 'WorkerCrashedError';
  /** Time in ms from the start of the work to the crash, 0 if it is not measured. */
  readonly milliseconds: number;

  constructor(message: string, { milliseconds = 0, ...options }: ErrorOptions & { milliseconds?: number } = {}) {
    super(message, options);
    this.milliseconds = milliseconds;
  }
}

/** The functions that settle a count. */
type Deferred = Pick<PromiseWithResolvers<CountTaskOutcome>, 'resolve' | 'reject'>;

interface StartOptions {
  owner: string;
  deferred: Deferred;
  timeLimitMs: number;
}

interface RunningTask {
  id: number;
  owner: string;
  deferred: Deferred;
  timer: NodeJS.Timeout;
}

/** A slot for one thread, which starts on demand and restarts after a crash. It runs one task at a time. */
export class WorkerSlot {
  private readonly script: URL;
  private readonly onFree: () => void;
  private worker: PoolWorker | undefined;
  private running: RunningTask | undefined;

  /** `onFree` is called when a task has ended, before its count settles. It may start the next task. */
  constructor(script: URL, onFree: () => void) {
    this.script = script;
    this.onFree = onFree;
  }

  get isFree(): boolean {
    return this.running === undefined;
  }

  /** The owner of the running task. */
  get owner(): string | undefined {
    return this.running?.owner;
  }

  /** Starts the thread before its first task. */
  warm(): void {
    this.worker ??= this.startWorker();
  }

  /** Runs a task of an owner in the free slot for at most `timeLimitMs` ms. */
  start(task: CountTask, { owner, deferred, timeLimitMs }: StartOptions): void {
    const timer = setTimeout(() => this.handleTimeout(), timeLimitMs).unref();
    this.running = { id: task.id, owner, deferred, timer };
    this.worker ??= this.startWorker();
    this.worker.start(task);
  }

  /** Cancels the task at its next step if it is the running one. */
  cancel(id: number): void {
    if (this.running?.id === id) this.worker?.cancel(id);
  }

  async terminate(): Promise<void> {
    await this.worker?.terminate();
  }

  private startWorker(): PoolWorker {
    const worker = new PoolWorker(this.script, {
      reply: (reply) => this.handleReply(reply),
      end: (cause) => {
        // A thread that this slot stopped has no task.
        if (this.worker !== worker) return;
        this.worker = undefined;
        this.release()?.reject(new WorkerCrashedError('the counting thread ended', { cause }));
      },
    });
    return worker;
  }

  private handleReply(reply: CountReply): void {
    if (this.running?.id !== reply.id) return;
    const deferred = this.release();
    if ('outcome' in reply) deferred?.resolve(reply.outcome);
    else deferred?.reject('cancelled' in reply ? new Cancelled() : new WorkerCrashedError(reply.errorMessage));
  }

  private handleTimeout(): void {
    const { worker } = this;
    this.worker = undefined;
    this.release()?.reject(new CountTimeoutError());
    void worker?.terminate();
  }

  /** Frees the slot, so it may start its next task immediately. */
  private release(): Deferred | undefined {
    const { running } = this;
    clearTimeout(running?.timer);
    this.running = undefined;
    this.onFree();
    if (this.isFree) this.worker?.unref();
    return running?.deferred;
  }
}
