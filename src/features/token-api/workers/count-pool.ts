import { Cancelled } from '../count-body.ts';
import type { ApiVersion } from '../validation/conversation-rules.ts';
import type { FetchedUrl } from '../url-media/wanted-url.ts';
import type { CountReply, PassOutcome } from './count-worker.ts';
import { PoolWorker } from './pool-worker.ts';

/** No room for another body, or none came free in time. */
export class PoolBusy extends Error {
  override readonly name = 'PoolBusy';
}
/** The count took longer than the limit; its thread was ended. */
export class CountTimeout extends Error {
  override readonly name = 'CountTimeout';
}
/** The thread died under the count, or threw; other counts are not affected. */
export class CountFault extends Error {
  override readonly name = 'CountFault';
}

const LIMITS = {
  /** Bodies that may wait, of one owner and of all, and their bytes together. */
  maxWaitingEach: 16,
  maxWaiting: 64,
  maxWaitingBytes: 512 * 1024 * 1024,
  /** Milliseconds that a body may wait for a thread, and that a thread may take for it. */
  maxWait: 30_000,
  timeLimit: 60_000,
};

/** `script`: another worker file, for tests. */
export type PoolOptions = { size: number; script?: URL } & Partial<typeof LIMITS>;

/** A body that waits for its count. */
export interface PoolBody {
  /** The pieces in which it arrived, in shared memory, which must stay as it is until the count has ended. */
  segments: readonly Uint8Array[];
  bytes: number;
  version: ApiVersion;
  /** Whose it is; owners take turns. */
  owner: string;
  /** What stood behind the URLs that it names. */
  fetched?: readonly FetchedUrl[];
}

interface Job extends PoolBody {
  id: number;
  settle: PromiseWithResolvers<PassOutcome>;
  timer: NodeJS.Timeout;
  seat: Seat | undefined;
}

/** A place for one thread, which is started when it is first needed and again after it died. */
interface Seat {
  worker: PoolWorker | undefined;
  job: Job | undefined;
}

/** A few threads that count large bodies one at a time each, with a bounded queue in which owners take turns. */
export class CountPool {
  private readonly limits: typeof LIMITS;
  private readonly script: URL;
  private readonly seats: Seat[];
  private waiting: Job[] = [];
  private waitingBytes = 0;
  private lastId = 0;
  private lastOwner = '';

  constructor({ size, script = new URL('./count-worker.ts', import.meta.url), ...limits }: PoolOptions) {
    this.limits = { ...LIMITS, ...limits };
    this.script = script;
    this.seats = Array.from({ length: size }, () => ({ worker: undefined, job: undefined }));
  }

  /** Starts a thread ahead of its first body, for instance while that is still arriving. */
  warm(): void {
    const [seat] = this.seats;
    if (seat) seat.worker ??= this.startWorker(seat);
  }

  /** Bodies waiting or being counted, for the metrics. */
  get load(): number {
    return this.waiting.length + this.seats.filter((seat) => seat.job).length;
  }

  /**
   * Counts a body; `gone` is aborted when the client disconnects.
   * Rejects with `PoolBusy`, `CountTimeout`, `CountFault` or `Cancelled`.
   */
  count(body: PoolBody, gone?: AbortSignal): Promise<PassOutcome> {
    if (gone?.aborted) return Promise.reject(new Cancelled());
    if (!this.hasRoom(body)) return Promise.reject(new PoolBusy());
    this.lastId = (this.lastId % 0x7fff_ffff) + 1;
    const settle = Promise.withResolvers<PassOutcome>();
    const job: Job = {
      ...body,
      id: this.lastId,
      settle,
      seat: undefined,
      timer: setTimeout(() => this.drop(job, new PoolBusy()), this.limits.maxWait).unref(),
    };
    const cancel = (): void => this.cancel(job);
    gone?.addEventListener('abort', cancel, { once: true });
    this.waiting.push(job);
    this.waitingBytes += job.bytes;
    this.fill();
    return settle.promise.finally(() => {
      clearTimeout(job.timer);
      gone?.removeEventListener('abort', cancel);
    });
  }

  async close(): Promise<void> {
    for (const job of this.waiting.splice(0)) job.settle.reject(new PoolBusy());
    await Promise.all(this.seats.map(async (seat) => seat.worker?.terminate()));
  }

  private hasRoom({ bytes, owner }: PoolBody): boolean {
    if (this.seats.some((seat) => !seat.job)) return true;
    const { maxWaitingEach, maxWaiting, maxWaitingBytes } = this.limits;
    const own = this.waiting.filter((job) => job.owner === owner).length;
    return own < maxWaitingEach && this.waiting.length < maxWaiting && this.waitingBytes + bytes <= maxWaitingBytes;
  }

  /** The first body of another owner than the last one's, or else the first. */
  private takeNext(): Job | undefined {
    const other = this.waiting.findIndex((job) => job.owner !== this.lastOwner);
    const [job] = this.waiting.splice(Math.max(0, other), 1);
    if (job) this.lastOwner = job.owner;
    return job;
  }

  private fill(): void {
    for (const seat of this.seats) {
      if (seat.job) continue;
      const job = this.takeNext();
      if (!job) return;
      this.waitingBytes -= job.bytes;
      seat.job = job;
      job.seat = seat;
      clearTimeout(job.timer);
      job.timer = setTimeout(() => this.expire(job), this.limits.timeLimit).unref();
      seat.worker ??= this.startWorker(seat);
      const { id, segments, version, fetched } = job;
      seat.worker.start({ id, segments, version, ...(fetched && { fetched }) });
      job.segments = [];
      delete job.fetched;
    }
  }

  private startWorker(seat: Seat): PoolWorker {
    const worker = new PoolWorker(this.script, {
      reply: (reply) => this.finish(seat, reply),
      end: (cause) => {
        if (seat.worker !== worker) return;
        seat.worker = undefined;
        this.release(seat)?.settle.reject(new CountFault('the counting thread ended', { cause }));
      },
    });
    return worker;
  }

  private finish(seat: Seat, reply: CountReply): void {
    if (seat.job?.id !== reply.id) return;
    const job = this.release(seat);
    if ('outcome' in reply) job?.settle.resolve(reply.outcome);
    else job?.settle.reject('cancelled' in reply ? new Cancelled() : new CountFault(reply.fault));
  }

  private release(seat: Seat): Job | undefined {
    const { job } = seat;
    seat.job = undefined;
    if (job) job.seat = undefined;
    this.fill();
    if (!seat.job) seat.worker?.rest();
    return job;
  }

  private cancel(job: Job): void {
    if (job.seat) job.seat.worker?.cancel(job.id);
    else this.drop(job, new Cancelled());
  }

  private expire(job: Job): void {
    const { seat } = job;
    if (!seat) return;
    const { worker } = seat;
    seat.worker = undefined;
    this.release(seat);
    job.settle.reject(new CountTimeout());
    void worker?.terminate();
  }

  private drop(job: Job, reason: Error): void {
    const at = this.waiting.indexOf(job);
    if (at === -1) return;
    this.waiting.splice(at, 1);
    this.waitingBytes -= job.bytes;
    job.settle.reject(reason);
  }
}
