import { FairQueue, QueueFullError, type QueueLimits } from '../../../platform/fairness/fair-queue.ts';
import { Cancelled, type PdfsByPath } from '../count-body.ts';
import type { ApiVersion } from '../validation/checked-request.ts';
import type { FetchedUrl } from '../url-media/requested-url.ts';
import type { CountTaskOutcome } from './count-worker.ts';
import { WorkerSlot } from './worker-slot.ts';

interface PoolLimits extends QueueLimits {
  /** Maximum time in ms in the queue and in the thread. */
  maxWaitMs: number;
  timeLimitMs: number;
}

export const COUNT_LIMITS: PoolLimits = {
  maxWaitingPerOwner: 64,
  maxWaiting: 256,
  maxWaitingBytes: 512 * 1024 * 1024,
  maxWaitMs: 30_000,
  timeLimitMs: 60_000,
};

/** `script` replaces the worker file in tests. */
export type PoolOptions = { size: number; script?: URL } & Partial<PoolLimits>;

/** A body in the queue. */
export interface PoolBody {
  /** The chunks of the body in shared memory. They must not change until the count has ended. */
  segments: readonly Uint8Array[];
  bytes: number;
  version: ApiVersion;
  /** Values of the `anthropic-beta` header. */
  betas?: readonly string[];
  /** Owner of the body. Owners take turns. */
  owner: string;
  /** Files that were fetched from the URLs in the body. */
  fetched?: readonly FetchedUrl[];
  /** The PDFs of the body that were read. */
  pdfs?: PdfsByPath;
}

interface Job extends PoolBody {
  id: number;
  deferred: PromiseWithResolvers<CountTaskOutcome>;
  /** Ends the wait in the queue. */
  waitTimer: NodeJS.Timeout;
}

/**
 * Threads that count large and costly bodies, one at a time each, with a bounded queue in which owners take turns. An owner gets
 * a second thread only while no owner without one waits.
 */
export class CountPool {
  private readonly limits: PoolLimits;
  private readonly slots: WorkerSlot[];
  private readonly queue: FairQueue<Job>;
  private lastId = 0;

  constructor({ size, script = new URL('./count-worker.ts', import.meta.url), ...limits }: PoolOptions) {
    this.limits = { ...COUNT_LIMITS, ...limits };
    this.queue = new FairQueue(this.limits);
    this.slots = Array.from({ length: size }, () => new WorkerSlot(script, () => this.dispatch()));
  }

  /** Starts a thread before its first body, for instance while that body is received. */
  warm(): void {
    this.slots[0]?.warm();
  }

  /** Number of queued and running bodies, for the metrics. */
  get jobCount(): number {
    return this.queue.length + this.slots.filter((slot) => !slot.isFree).length;
  }

  /**
   * Counts a body. `clientClosed` aborts when the client disconnects. Rejects with `QueueFullError`,
   * `CountTimeoutError`, `WorkerCrashedError` or `Cancelled`.
   */
  count(body: PoolBody, clientClosed?: AbortSignal): Promise<CountTaskOutcome> {
    if (clientClosed?.aborted) return Promise.reject(new Cancelled());
    if (!this.slots.some((slot) => slot.isFree) && !this.queue.hasCapacityFor(body))
      return Promise.reject(new QueueFullError());
    this.lastId = (this.lastId % 0x7fff_ffff) + 1;
    const deferred = Promise.withResolvers<CountTaskOutcome>();
    const job: Job = {
      ...body,
      id: this.lastId,
      deferred,
      waitTimer: setTimeout(() => this.dequeue(job, new QueueFullError()), this.limits.maxWaitMs).unref(),
    };
    const cancel = (): void => this.cancel(job);
    clientClosed?.addEventListener('abort', cancel, { once: true });
    this.queue.push(job);
    this.dispatch();
    return deferred.promise.finally(() => {
      clearTimeout(job.waitTimer);
      clientClosed?.removeEventListener('abort', cancel);
    });
  }

  async close(): Promise<void> {
    for (const job of this.queue.clear()) job.deferred.reject(new QueueFullError());
    await Promise.all(this.slots.map((slot) => slot.terminate()));
  }

  /** Assigns the next jobs to free slots. An owner with a running job follows those without one. */
  private dispatch(): void {
    for (const slot of this.slots) {
      if (!slot.isFree) continue;
      const job = this.queue.shift(({ owner }) => !this.isRunning(owner)) ?? this.queue.shift();
      if (!job) return;
      clearTimeout(job.waitTimer);
      const { id, segments, version, betas, fetched, pdfs, owner, deferred } = job;
      slot.start(
        { id, segments, version, ...(betas && { betas }), ...(fetched && { fetched }), ...(pdfs && { pdfs }) },
        { owner, deferred, timeLimitMs: this.limits.timeLimitMs },
      );
      // The thread holds the segments now, so the job must not keep them in memory.
      job.segments = [];
      delete job.fetched;
      delete job.pdfs;
    }
  }

  private isRunning(owner: string): boolean {
    return this.slots.some((slot) => slot.owner === owner);
  }

  private cancel(job: Job): void {
    if (this.dequeue(job, new Cancelled())) return;
    for (const slot of this.slots) slot.cancel(job.id);
  }

  /** Removes a queued job and rejects it. Returns false if the job is not in the queue. */
  private dequeue(job: Job, reason: Error): boolean {
    if (!this.queue.remove(job)) return false;
    job.deferred.reject(reason);
    return true;
  }
}
