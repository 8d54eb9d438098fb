export interface QueueLimits {
  /** Maximum number of queued bodies, per owner and in total, and their total bytes. */
  maxWaitingPerOwner: number;
  maxWaiting: number;
  maxWaitingBytes: number;
}

interface QueueItem {
  owner: string;
  bytes: number;
}

/** A bounded queue in which owners take turns. */
export class FairQueue<Job extends QueueItem> {
  private readonly limits: QueueLimits;
  private readonly jobs: Job[] = [];
  private bytes = 0;
  private lastOwner = '';

  constructor(limits: QueueLimits) {
    this.limits = limits;
  }

  get length(): number {
    return this.jobs.length;
  }

  hasCapacityFor({ owner, bytes }: QueueItem): boolean {
    const { maxWaitingPerOwner, maxWaiting, maxWaitingBytes } = this.limits;
    const ownerJobCount = this.jobs.filter((job) => job.owner === owner).length;
    return ownerJobCount < maxWaitingPerOwner && this.jobs.length < maxWaiting && this.bytes + bytes <= maxWaitingBytes;
  }

  push(job: Job): void {
    this.jobs.push(job);
    this.bytes += job.bytes;
  }

  /** Returns the first job of another owner than the last one, or else the first job. */
  shift(): Job | undefined {
    const otherOwnerIndex = this.jobs.findIndex((job) => job.owner !== this.lastOwner);
    const [job] = this.jobs.splice(Math.max(0, otherOwnerIndex), 1);
    if (!job) return undefined;
    this.bytes -= job.bytes;
    this.lastOwner = job.owner;
    return job;
  }

  /** Removes a job. Returns false if it is not in the queue. */
  remove(job: Job): boolean {
    const index = this.jobs.indexOf(job);
    if (index === -1) return false;
    this.jobs.splice(index, 1);
    this.bytes -= job.bytes;
    return true;
  }

  clear(): Job[] {
    this.bytes = 0;
    return this.jobs.splice(0);
  }
}
