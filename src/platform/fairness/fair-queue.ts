/** Limits of the jobs in a queue. */
export interface QueueLimits {
  /** Maximum number of queued jobs of one owner. */
  maxWaitingPerOwner: number;
  /** Maximum number of queued jobs in total. */
  maxWaiting: number;
  /** Maximum bytes of all queued jobs (default: no limit). */
  maxWaitingBytes?: number;
}

/** A job with what the queue needs to order it. */
export interface QueueItem {
  owner: string;
  /** Bytes that the job holds while it waits (default 0). */
  bytes?: number;
  /** Jobs of a lower rank go first (default 0). */
  rank?: number;
}

/** The queue has no room for another job, or the job waited too long. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
}

/** Number of owners whose last turn is remembered. */
const MAX_REMEMBERED_OWNERS = 1_000;

/**
 * A bounded queue in which owners take turns: each turn goes to the owner whose last turn, or first job, is longest ago.
 */
export class FairQueue<Job extends QueueItem> {
  private readonly limits: QueueLimits;
  private readonly jobs: Job[] = [];
  private bytes = 0;
  private turns = 0;
  /** The last turn of each owner, oldest first. */
  private readonly lastTurns = new Map<string, number>();

  constructor(limits: QueueLimits) {
    this.limits = limits;
  }

  get length(): number {
    return this.jobs.length;
  }

  /** Returns whether a job may be queued. In a full queue it takes the place of a job of a higher rank. */
  hasCapacityFor({ owner, bytes = 0, rank = 0 }: QueueItem): boolean {
    const { maxWaitingPerOwner, maxWaiting, maxWaitingBytes = Infinity } = this.limits;
    const ownJobs = this.jobs.filter((job) => job.owner === owner);
    return (
      ownJobs.length < maxWaitingPerOwner &&
      this.bytes + bytes <= maxWaitingBytes &&
      (this.jobs.length < maxWaiting || this.jobs.some((job) => (job.rank ?? 0) > rank))
    );
  }

  push(job: Job): void {
    this.jobs.push(job);
    this.bytes += job.bytes ?? 0;
    // A new owner follows all turns but the last one, so that a stream of new owners never passes those who wait.
    if (!this.lastTurns.has(job.owner)) this.recordTurn(job.owner, this.turns - 1);
  }

  /** Removes and returns the last job of the highest rank if there are too many. */
  removeExcess(): Job | undefined {
    if (this.jobs.length <= this.limits.maxWaiting) return undefined;
    const lastJob = this.jobs.reduce((last, other) => ((other.rank ?? 0) >= (last.rank ?? 0) ? other : last));
    this.remove(lastJob);
    return lastJob;
  }

  /** Removes and returns the next job among those that may run. */
  shift(mayRun: (job: Job) => boolean = () => true): Job | undefined {
    let next: Job | undefined;
    for (const job of this.jobs) if (mayRun(job) && (!next || this.precedes(job, next))) next = job;
    if (!next) return undefined;
    this.remove(next);
    this.turns += 1;
    this.recordTurn(next.owner, this.turns);
    return next;
  }

  /** Removes a job. Returns false if it is not in the queue. */
  remove(job: Job): boolean {
    const index = this.jobs.indexOf(job);
    if (index === -1) return false;
    this.jobs.splice(index, 1);
    this.bytes -= job.bytes ?? 0;
    return true;
  }

  clear(): Job[] {
    this.bytes = 0;
    return this.jobs.splice(0);
  }

  private recordTurn(owner: string, turn: number): void {
    this.lastTurns.delete(owner);
    this.lastTurns.set(owner, turn);
    if (this.lastTurns.size > MAX_REMEMBERED_OWNERS) this.lastTurns.delete(this.lastTurns.keys().next().value!);
  }

  private precedes(job: Job, other: Job): boolean {
    const rankDifference = (job.rank ?? 0) - (other.rank ?? 0);
    if (rankDifference !== 0) return rankDifference < 0;
    return (this.lastTurns.get(job.owner) ?? 0) < (this.lastTurns.get(other.owner) ?? 0);
  }
}
