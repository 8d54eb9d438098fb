import { setImmediate } from 'node:timers/promises';
import { createFairSlots, type FairSlots } from '../../../platform/fairness/fair-slots.ts';

/** Limits of the requests of a process that wait for their turn. */
const TURN_LIMITS = {
  maxWaitingPerOwner: 1_024,
  maxWaiting: 4_096,
  maxWaitingBytes: 64 * 1024 * 1024,
  maxWaitMs: 30_000,
};

/**
 * Creates turns in the main thread. Each turn of the event loop runs the work of one request, and organizations take
 * turns, so that a burst of one organization does not delay the others.
 */
export function createCountTurns(): FairSlots {
  const runInSlot = createFairSlots({ slots: 1, ...TURN_LIMITS });
  return (request, work) =>
    runInSlot(request, async () => {
      const result = await work();
      // New requests of others are received before the next turn.
      await setImmediate();
      return result;
    });
}
