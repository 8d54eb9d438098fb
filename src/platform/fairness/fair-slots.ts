import { FairQueue, QueueFullError, type QueueItem, type QueueLimits } from './fair-queue.ts';

interface SlotLimits extends QueueLimits {
  /** Number of jobs that run at once. */
  slots: number;
  /** Number of jobs of one owner that run at once (default: all slots). */
  slotsPerOwner?: number;
  /** Number of slots that only jobs of rank 0 use (default 0). */
  reservedSlots?: number;
  /** Maximum time in ms in the queue. */
  maxWaitMs: number;
}

interface SlotRequest extends QueueItem {
  /** Ends the wait in the queue. */
  signal?: AbortSignal | undefined;
}

/**
 * Runs work when a slot is free and its owner's turn has come. Rejects with `QueueFullError` if the queue is full or
 * the wait is too long, and with the signal's reason if it aborts before the work starts.
 */
export type FairSlots = <T>(request: SlotRequest, work: () => Promise<T>) => Promise<T>;

interface WaitingJob extends QueueItem {
  start: () => void;
  reject: (reason: unknown) => void;
}

/** Creates slots that owners use in turn. */
export function createFairSlots({
  slots,
  slotsPerOwner = slots,
  reservedSlots = 0,
  maxWaitMs,
  ...queueLimits
}: SlotLimits): FairSlots {
  const queue = new FairQueue<WaitingJob>(queueLimits);
  const runningByOwner = new Map<string, number>();
  let running = 0;
  let runningUnreserved = 0;

  const mayRun = ({ owner, rank = 0 }: QueueItem): boolean =>
    running < slots &&
    (rank === 0 || runningUnreserved < slots - reservedSlots) &&
    (runningByOwner.get(owner) ?? 0) < slotsPerOwner;

  const dispatch = (): void => {
    for (let job = queue.shift(mayRun); job; job = queue.shift(mayRun)) {
      running += 1;
      if (job.rank) runningUnreserved += 1;
      runningByOwner.set(job.owner, (runningByOwner.get(job.owner) ?? 0) + 1);
      job.start();
    }
  };

  const release = ({ owner, rank }: QueueItem): void => {
    running -= 1;
    if (rank) runningUnreserved -= 1;
    const stillRunning = runningByOwner.get(owner)! - 1;
    if (stillRunning === 0) runningByOwner.delete(owner);
    else runningByOwner.set(owner, stillRunning);
    dispatch();
  };

  const waitForSlot = ({ signal, ...item }: SlotRequest): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const job: WaitingJob = {
        ...item,
        start: () => {
          settle();
          resolve();
        },
        reject: (reason) => {
          settle();
          reject(reason);
        },
      };
      const stopWaiting = (reason: unknown): void => {
        if (queue.remove(job)) job.reject(reason);
      };
      const onAbort = (): void => stopWaiting(signal!.reason);
      const timer = setTimeout(() => stopWaiting(new QueueFullError()), maxWaitMs);
      signal?.addEventListener('abort', onAbort, { once: true });
      queue.push(job);
      dispatch();
      queue.removeExcess()?.reject(new QueueFullError());
    });

  return async (request, work) => {
    request.signal?.throwIfAborted();
    if (!mayRun(request) && !queue.hasCapacityFor(request)) throw new QueueFullError();
    await waitForSlot(request);
    try {
      return await work();
    } finally {
      release(request);
    }
  };
}
