import { createRateLimiter } from '../http/rate-limit.ts';
import { createFairSlots } from './fair-slots.ts';

/** A result and the time in ms that its work took, without the wait. */
interface Timed<Result> {
  result: Result;
  milliseconds: number;
}

interface LaneJob<Result> {
  owner: string;
  /** Does the work within the limits of the quick lane, or of the slow lane. */
  runQuick: () => Promise<Timed<Result>>;
  runSlow: () => Promise<Timed<Result>>;
  /** Returns whether work exceeded the limits of the quick lane. */
  isTooLong: (result: Result) => boolean;
  /** Ends the wait in the queues. */
  signal?: AbortSignal | undefined;
}

/** Runs a job in the lanes and returns its time in both. */
export type TwoLanes = <Result>(job: LaneJob<Result>) => Promise<Timed<Result>>;

/** Quick time is counted in whole units, so that work shorter than one unit is free. */
const QUICK_TIME = { unitMs: 50, unitsPerMinute: 15 };
const MAX_WAITING_PER_OWNER = 16;
const MAX_WAITING = 200;
const MAX_REMEMBERED_OWNERS = 10_000;

/**
 * Work starts in the quick lane and is repeated in the slow lane if it exceeds the quick limits, so that long work
 * never keeps short work waiting. An owner has one slot in each lane. With its quick time of the last 60 seconds used up,
 * it starts in the slow lane. Owners whose last work was quick go first, and one of several quick slots is kept for them,
 * so that new owners with long work never hold all slots.
 */
export function createTwoLanes(options: { quickSlots: number; slowSlots: number; maxWaitMs: number }): TwoLanes {
  const openLane = (slots: number, reservedSlots = 0) =>
    createFairSlots({
      slots,
      slotsPerOwner: 1,
      reservedSlots,
      maxWaitingPerOwner: MAX_WAITING_PER_OWNER,
      maxWaiting: MAX_WAITING,
      maxWaitMs: options.maxWaitMs,
    });
  const quickLane = openLane(options.quickSlots, options.quickSlots > 1 ? 1 : 0);
  const slowLane = openLane(options.slowSlots);
  const quickTime = createRateLimiter({ limit: QUICK_TIME.unitsPerMinute });
  const quickOwners = new Set<string>();
  const recordQuickness = (owner: string, isQuick: boolean): void => {
    // Added at the end, so that the first one is the oldest.
    quickOwners.delete(owner);
    if (isQuick) quickOwners.add(owner);
    if (quickOwners.size > MAX_REMEMBERED_OWNERS) quickOwners.delete(quickOwners.values().next().value!);
  };

  /** Returns undefined if the owner has no quick time left. */
  const runQuick = <Result>({
    owner,
    signal,
    runQuick: work,
    isTooLong,
  }: LaneJob<Result>): Promise<Timed<Result> | undefined> =>
    quickLane({ owner, signal, rank: quickOwners.has(owner) ? 0 : 1 }, async () => {
      // Checked when the owner's turn has come, so that waiting jobs do not share the remaining time.
      if (!quickTime.peek(owner).ok) return undefined;
      const timed = await work();
      for (let chargedMs = QUICK_TIME.unitMs; chargedMs <= timed.milliseconds; chargedMs += QUICK_TIME.unitMs)
        quickTime.consume(owner);
      recordQuickness(owner, !isTooLong(timed.result));
      return timed;
    });

  return async (job) => {
    const quick = quickTime.peek(job.owner).ok ? await runQuick(job) : undefined;
    if (quick && !job.isTooLong(quick.result)) return quick;
    const { owner, signal, runSlow } = job;
    const slow = await slowLane({ owner, signal }, runSlow);
    return { ...slow, milliseconds: slow.milliseconds + (quick?.milliseconds ?? 0) };
  };
}
