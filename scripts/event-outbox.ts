/**
 * `npm run lab -- event-outbox [--rounds 40] [--seed n]`: a process takes 10,000 events and forwards them to a receiver
 * that fails each third call and refuses one event for good; it is killed (SIGKILL) `rounds` times at random moments.
 * Ends with 1 where an event is missing by its id, or another one than the refused is quarantined.
 */
import { runOutboxKills } from '../test/support/outbox-kill/run-outbox-kills.ts';
import { readRounds } from './run/seeded-rounds.ts';

const { rounds, first } = readRounds(40);
const { kills, calls, missing, quarantined, poisoned } = await runOutboxKills({
  ...{ events: 10_000, kills: rounds, seed: first, longest: 400 },
});
console.log(`${kills} kills, ${calls} calls; ${missing.length} of 10,000 events missing; quarantined: ${quarantined}`);
process.exitCode = missing.length > 0 || quarantined.join() !== poisoned ? 1 : 0;
