/**
 * `npm run lab -- event-outbox [--rounds 40] [--seed n]`: a process takes 10,000 events and forwards them to a receiver
 * that fails each third call and refuses one event for good; it is killed (SIGKILL) `rounds` times at random moments.
 * Then a member's browser captures events in as many rounds, while its network fails in four ways and its tabs are
 * killed. Ends with 1 where an event is missing by its id or stored twice, or another one than the refused is
 * quarantined.
 */
import { runBrowserKills } from '../test/support/outbox-kill/run-browser-kills.ts';
import { runOutboxKills } from '../test/support/outbox-kill/run-outbox-kills.ts';
import { readRounds } from './run/seeded-rounds.ts';

const { rounds, first } = readRounds(40);
const { kills, calls, missing, twice, quarantined, poisoned } = await runOutboxKills({
  ...{ events: 10_000, kills: rounds, seed: first, longest: 400 },
});
console.log(
  `service: ${kills} kills, ${calls} calls; of 10,000 events ${missing.length} missing, ${twice} stored twice; ` +
    `quarantined: ${quarantined.join()}`,
);
const browser = await runBrowserKills({ rounds, seed: first });
console.log(
  `browser: ${browser.kills} tabs killed in ${rounds} rounds; of ${browser.kept} events ${browser.missing.length} ` +
    `missing, ${browser.twice} stored twice`,
);
const isWrong = missing.length + twice + browser.missing.length + browser.twice > 0 || quarantined.join() !== poisoned;
process.exitCode = isWrong ? 1 : 0;
