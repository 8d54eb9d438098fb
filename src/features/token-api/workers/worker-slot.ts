import { Cancelled } from '../count-body.ts';
import type { CountReply, CountTask, PassOutcome } from './count-worker.ts';
import { PoolWorker } from './pool-worker.ts';

/** The count took longer than the limit; its thread was ended. */
export class CountTimeout extends Error {
  override readonly name = 'CountTimeout';
}
/** The thread died under the count, or threw; other counts are not affected. */
export class CountFault extends Error {
  override readonly name = 'CountFault';
}

/** What a count ends with. */
type Settle = Pick<PromiseWithResolvers<PassOutcome>, 'resolve' | 'reject'>;

interface RunningTask {
  id: number;
  settle: Settle;
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

  /** Runs a task in the free slot, for `timeLimit` milliseconds at most. */
  start(task: CountTask, settle: Settle, timeLimit: number): void {
    this.running = { id: task.id, settle, timer: setTimeout(() => this.expire(), timeLimit).unref() };
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
      reply: (reply) => this.finish(reply),
      end: (cause) => {
        // A thread that this slot ended itself has no task any more.
        if (this.worker !== worker) return;
        this.worker = undefined;
        this.release()?.reject(new CountFault('the counting thread ended', { cause }));
      },
    });
    return worker;
  }

  private finish(reply: CountReply): void {
    if (this.running?.id !== reply.id) return;
    const settle = this.release();
    if ('outcome' in reply) settle?.resolve(reply.outcome);
    else settle?.reject('cancelled' in reply ? new Cancelled() : new CountFault(reply.fault));
  }

  private expire(): void {
    const { worker } = this;
    this.worker = undefined;
    this.release()?.reject(new CountTimeout());
    void worker?.terminate();
  }

  /** Frees the slot, which may take its next task at once. */
  private release(): Settle | undefined {
    const { running } = this;
    clearTimeout(running?.timer);
    this.running = undefined;
    this.onFree();
    if (this.isFree) this.worker?.rest();
    return running?.settle;
  }
}
