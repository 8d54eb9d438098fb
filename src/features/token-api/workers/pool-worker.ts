import { Worker } from 'node:worker_threads';
import type { CountReply, CountTask } from './count-worker.ts';

/**
 * Far above what a body can need after `inspectJson` has bounded its values (about 900 MB at the worst): a thread that
 * runs into its limit inside `JSON.parse` takes the whole process with it, so the limit is no defence.
 */
const MAX_HEAP_MB = 2_048;

/** One thread and the cell in which it is told that a client has gone. */
export class PoolWorker {
  private readonly thread: Worker;
  private readonly cancelledTask = new Int32Array(new SharedArrayBuffer(4));

  /** `onEnd` is called once, when the thread is gone for whatever reason. */
  constructor(script: URL, handlers: { reply: (reply: CountReply) => void; end: (cause: Error | undefined) => void }) {
    this.thread = new Worker(script, {
      name: 'token-count',
      workerData: this.cancelledTask.buffer,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 64 },
    });
    this.thread.unref();
    let cause: Error | undefined;
    this.thread.on('message', handlers.reply);
    this.thread.on('error', (error) => (cause = error));
    this.thread.on('exit', () => handlers.end(cause));
  }

  /** Hands over a task; fetched files go along with their memory. While it runs the process stays alive for it. */
  start(task: CountTask): void {
    this.thread.ref();
    const memory = new Set((task.fetched ?? []).map((file) => file.bytes.buffer));
    this.thread.postMessage(task, [...memory]);
  }

  unref(): void {
    this.thread.unref();
  }

  /** Asks the running task to end at its next step. */
  cancel(id: number): void {
    Atomics.store(this.cancelledTask, 0, id);
  }

  async terminate(): Promise<void> {
    await this.thread.terminate();
  }
}
