import { createRateLimiter } from '../http/rate-limit.ts';
import { createFairSlots } from './fair-slots.ts';

/** A result and the time in ms that its work took, without the wait. */
interface Timed<Result> {
  result: Result;
  milliseconds: number;
}

interface LaneJob<Result> {
  owner: string;
  /** Does the work within the limits of the quick lane. `wasShort` tells whether the owner's last work was short. */
  runQuick: (wasShort: boolean) => Promise<Timed<Result>>;
  /** Does the work within the limits of the slow lane. */
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
/** Work below this time in ms is short. It is well below the limits of the quick lane, so that those who fill them wait. */
const SHORT_MS = 125;
const MAX_WAITING_PER_OWNER = 16;
const MAX_WAITING = 200;
const MAX_REMEMBERED_OWNERS = 10_000;

/**
 * Creates a feedback queue of two levels. Work starts in the quick lane and is repeated in the slow lane if it exceeds
 * the quick limits, so that long work never keeps short work waiting; so work must have no side effects. An owner has one
 * slot in each lane. With its quick time of the last 60 seconds used up, it starts in the slow lane. Owners whose last
 * work was short go first, and one of several slots of each lane is kept for them, so that long work never holds all
 * slots, even when a busy machine makes short work use up its quick time.
 */
export function createTwoLanes(options: { quickSlots: number; slowSlots: number; maxWaitMs: number }): TwoLanes {
  const openLane = (slots: number) =>
    createFairSlots({
      slots,
      slotsPerOwner: 1,
      reservedSlots: slots > 1 ? 1 : 0,
      maxWaitingPerOwner: MAX_WAITING_PER_OWNER,
      maxWaiting: MAX_WAITING,
      maxWaitMs: options.maxWaitMs,
    });
  const quickLane = openLane(options.quickSlots);
  const slowLane = openLane(options.slowSlots);
  const quickTime = createRateLimiter({ limit: QUICK_TIME.unitsPerMinute });
  const shortOwners = new Set<string>();
  const getRank = (owner: string): number => (shortOwners.has(owner) ? 0 : 1);
  const recordLength = (owner: string, isShort: boolean): void => {
    // Added at the end, so that the first one is the oldest.
    shortOwners.delete(owner);
    if (isShort) shortOwners.add(owner);
    if (shortOwners.size > MAX_REMEMBERED_OWNERS) shortOwners.delete(shortOwners.values().next().value!);
  };

  /** Returns undefined if the owner has no quick time left. */
  const runInQuickLane = <Result>(job: LaneJob<Result>): Promise<Timed<Result> | undefined> => {
    const { owner, signal, runQuick, isTooLong } = job;
    const rank = getRank(owner);
    return quickLane({ owner, signal, rank }, async () => {
      // Checked when the owner's turn has come, so that waiting jobs do not share the remaining time.
      if (!quickTime.peek(owner).ok) return undefined;
      const timed = await runQuick(rank === 0);
      for (let chargedMs = QUICK_TIME.unitMs; chargedMs <= timed.milliseconds; chargedMs += QUICK_TIME.unitMs)
        quickTime.consume(owner);
      recordLength(owner, timed.milliseconds < SHORT_MS && !isTooLong(timed.result));
      return timed;
    });
  };

  const runInSlowLane = <Result>({ owner, signal, runSlow }: LaneJob<Result>): Promise<Timed<Result>> =>
    slowLane({ owner, signal, rank: getRank(owner) }, async () => {
      const timed = await runSlow();
      // Canceled work ends early, which says nothing about its length.
      if (!signal?.aborted) recordLength(owner, timed.milliseconds < SHORT_MS);
      return timed;
    });

  return async (job) => {
    const quick = quickTime.peek(job.owner).ok ? await runInQuickLane(job) : undefined;
    if (quick && !job.isTooLong(quick.result)) return quick;
    const slow = await runInSlowLane(job);
    return { ...slow, milliseconds: slow.milliseconds + (quick?.milliseconds ?? 0) };
  };
}
