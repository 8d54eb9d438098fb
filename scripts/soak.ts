/**
 * `npm run lab -- soak [--minutes 10] [--share 0.7]`: two servers and a worker behind haproxy, with PgBouncer, Redis
 * and a PostgreSQL of their own. Measures the peak of a mix of every area for 20 s, then sends that share of it for
 * so many minutes; after a third of them both servers are restarted, one after the other. Prints answers, errors, the
 * event loop's p99 and by least squares how memory grew, without the first fifth after a start. Ends with 1 where a
 * request failed or a server grew by more than a megabyte a minute (a run of less than 10 minutes only reports that).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { addSymbols } from '../test/support/watchlist-race.ts';
import { asOwner } from '../test/support/cluster.ts';
import { makeDemoAccount, prepareAreas } from './soak/areas.ts';
import { residentMb, watchFigures } from './soak/memory.ts';
import { type Sent, sendPaced } from './soak/paced.ts';
import { missingPrograms } from './stack/neighbours.ts';
import { startStack } from './stack/start-stack.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, share: { type: 'string', default: '0.7' } },
});
const [minutes, share] = [Number(values.minutes), Number(values.share)];
const missing = missingPrograms();
if (!(minutes > 0 && share > 0) || missing.length > 0) {
  console.error(missing.length > 0 ? `Not installed: ${missing.join(', ')}.` : '--minutes and --share are numbers.');
  process.exit(2);
}
const PEAK_MS = 20_000;
const MOST_MB_A_MINUTE = 1;

await using stack = new AsyncDisposableStack();
const running = await startStack(stack);
const { servers, worker, postgres } = running;
const owner = <Row extends object>(text: string, sent: readonly unknown[] = []) =>
  asOwner<Row>(postgres.ownerUrl, text, sent);
await addSymbols({ owner }, 40);
const demo = await makeDemoAccount(running);
// Limits of addresses would be met by a load that comes from a few.
const limits = { DEMO_ACCESS_RATE_LIMIT: '1000000', REFERRAL_RATE_LIMITS: 'off' };
await running.relaunch({ settings: { DEMO_ACCOUNT_IDP_USER_ID: demo, ...limits } });
const areas = await prepareAreas(running);

const shown = ({ requests, perSecond, p50, p99 }: Sent): string =>
  `${requests} requests, ${perSecond.toFixed(0)} a second, median ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`;
await sendPaced(areas, PEAK_MS / 4);
const peak = await sendPaced(areas, PEAK_MS);
console.log(`peak: ${shown(peak)}, errors ${JSON.stringify([...peak.errors])}`);

const MB = 2 ** 20;
const heapOf = (i: number) => async () => (await running.figure(i, 'nodejs_heap_size_used_bytes')) / MB;
// Each reading begins the measurement anew, so that one alone reads this server's.
const loopOf = (i: number) => async () => (await running.figure(i, 'nodejs_eventloop_lag_p99_seconds')) * 1_000;
const figures = watchFigures({
  'server 1': () => residentMb(servers[0]!.pids()),
  'server 2': () => residentMb(servers[1]!.pids()),
  worker: () => residentMb(worker.pids()),
  ...{ 'heap of 2': heapOf(1), 'loop of 1': loopOf(0) },
});
const restartAt = minutes / 3;
let [restarting, restarted] = [Infinity, Infinity];
const restart = (async () => {
  await sleep(restartAt * 60_000);
  restarting = figures.minutes();
  for (const [i, server] of servers.entries()) {
    // It is taken out when it takes no more connections; what is under way is answered.
    await server.end('SIGTERM');
    await server.start();
    await running.ready(i);
  }
  restarted = figures.minutes();
})();
const sent = await sendPaced(areas, minutes * 60_000, share * peak.perSecond);
await restart;
figures.stop();

console.log(`${minutes} minutes at ${Math.round(share * 100)} % of it: ${shown(sent)}`);
console.log(`  ${[...sent.byArea].map(([name, n]) => `${name} ${n}`).join(', ')}`);
const errors = [...sent.errors];
const [from, until] = [restarting, restarted].map((at) => (at * 60).toFixed(0));
console.log(`errors, with their seconds; a rolling restart from ${from} s to ${until} s: ${JSON.stringify(errors)}`);
const warmUp = minutes / 5;
let steepest = -Infinity;
for (const name of ['server 1', 'server 2', 'worker', 'heap of 2']) {
  const floor = name.startsWith('heap');
  const before = figures.slope(name, { from: Math.min(warmUp, restartAt / 2), until: restartAt, floor });
  const after = figures.slope(name, { from: restarted + warmUp, floor });
  if (name.startsWith('server')) steepest = Math.max(steepest, after.perMinute);
  console.log(
    `${name.padEnd(9)} ${after.last.toFixed(0)} MB at the end; ${before.perMinute.toFixed(2)} MB a minute before ` +
      `the restart, ${after.perMinute.toFixed(2)} after it`,
  );
}
const loop = figures.sorted('loop of 1');
console.log(
  `event loop of server 1, p99 of each 3 s: median ${loop[loop.length >> 1]?.toFixed(1)} ms, ` +
    `most ${loop.at(-1)?.toFixed(1)} ms`,
);
const grew = minutes >= 10 && steepest > MOST_MB_A_MINUTE;
process.exitCode = errors.length > 0 || grew ? 1 : 0;
