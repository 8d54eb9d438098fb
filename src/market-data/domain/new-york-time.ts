import { createZoneClock, type ZoneClock } from './zone-clock.ts';

const newYorkClock = createZoneClock('America/New_York', 5 * 60);

export const toNewYorkClock: ZoneClock['toClock'] = newYorkClock.toClock;
export const toInstant: ZoneClock['toInstant'] = newYorkClock.toInstant;
