import { Worker } from 'node:worker_threads';
import type { CountReply, CountTask } from './count-worker.ts';

/**
 * Heap limit in MB, well above the maximum use of a body after `inspectJson` (about 900 MB). A thread that exceeds its
 * limit inside `JSON.parse` crashes the process, so the limit is no protection.
 */
const MAX_HEAP_MB = 2_048;

/** One thread and the shared cell that signals a disconnected client. */
export class PoolWorker {
  private readonly thread: Worker;
  private readonly cancelledTask = new Int32Array(new SharedArrayBuffer(4));

  /** `end` is called once, when the thread has exited for any reason. */
  constructor(script: URL, handlers: { reply: (reply: CountReply) => void; end: (cause: Error | undefined) => void }) {
    this.thread = new Worker(script, {
      name: 'token-count',
      workerData: this.cancelledTask.buffer,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 64 },
    });
    this.thread.unref();
    let cause: Error | undefined;
    this.thread.on('message', handlers.reply);
    this.thread.on('error', (error) => {
      cause = error;
    });
    this.thread.on('exit', () => handlers.end(cause));
  }

  /**
   * Sends a task to the thread and transfers the memory of fetched files, unless a PDF among them needs another count.
   * The process does not exit while the task runs.
   */
  start(task: CountTask): void {
    this.thread.ref();
    const { fetched = [], pdfs } = task;
    const isLastCount = pdfs !== undefined || fetched.every(({ kind }) => kind !== 'document');
    const memory = isLastCount ? new Set(fetched.map((file) => file.bytes.buffer)) : [];
    this.thread.postMessage(task, [...memory]);
  }

  unref(): void {
    this.thread.unref();
  }

  /** Requests that the running task stops at its next step. */
  cancel(id: number): void {
    Atomics.store(this.cancelledTask, 0, id);
  }

  async terminate(): Promise<void> {
    await this.thread.terminate();
  }
}
