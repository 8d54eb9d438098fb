import { Cancelled } from '../count-body.ts';
import type { CountReply, CountTask, CountTaskOutcome } from './count-worker.ts';
import { PoolWorker } from './pool-worker.ts';

/** The count took longer than the limit; its thread was ended. */
export class CountTimeoutError extends Error {
  override readonly name = 'CountTimeoutError';
}
/** The thread died under the count, or threw; other counts are not affected. */
export class WorkerCrashedError extends Error {
  override readonly name = 'WorkerCrashedError';
}

/** What a count ends with. */
type Deferred = Pick<PromiseWithResolvers<CountTaskOutcome>, 'resolve' | 'reject'>;

interface RunningTask {
  id: number;
  deferred: Deferred;
  timer: NodeJS.Timeout;
}

/** A slot for one thread, which is started when it is first needed and again after it died; it runs one task at a time. */
export class WorkerSlot {
  private readonly script: URL;
  private readonly onFree: () => void;
  private worker: PoolWorker | undefined;
  private running: RunningTask | undefined;

  /** `onFree` is called when a task has ended, just before its count is settled; it may start the next one. */
  constructor(script: URL, onFree: () => void) {
    this.script = script;
    this.onFree = onFree;
  }

  get isFree(): boolean {
    return this.running === undefined;
  }

  /** Starts the thread ahead of its first task. */
  warm(): void {
    this.worker ??= this.startWorker();
  }

  /** Runs a task in the free slot, for `timeLimitMs` milliseconds at most. */
  start(task: CountTask, deferred: Deferred, timeLimitMs: number): void {
    this.running = { id: task.id, deferred, timer: setTimeout(() => this.handleTimeout(), timeLimitMs).unref() };
    this.worker ??= this.startWorker();
    this.worker.start(task);
  }

  /** Asks the task to end at its next step, where it is the one that runs. */
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
        // A thread that this slot ended itself has no task any more.
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

  /** Frees the slot, which may take its next task at once. */
  private release(): Deferred | undefined {
    const { running } = this;
    clearTimeout(running?.timer);
    this.running = undefined;
    this.onFree();
    if (this.isFree) this.worker?.unref();
    return running?.deferred;
  }
}
