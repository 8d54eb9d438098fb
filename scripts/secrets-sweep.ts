/**
 * `npm run lab -- secrets-sweep [rounds]` (default 64): connects, repairs and removes banks through a whole service
 * with an aggregator that fails every few calls and repeats the call in its answer; then looks for every key and token
 * that was used in the log, the database, the jobs, the metrics and the answers. Ends with 1 where one is found.
 */
import { startTestCluster } from '../test/support/cluster.ts';
import { tracesIn } from '../test/support/find-traces.ts';
import { sweepSecrets } from '../test/support/secrets-sweep.ts';

const [rounds = 64] = process.argv.slice(2).map(Number);
// The service is a process of its own on the same server.
const server = await startTestCluster();
Object.assign(process.env, server.env);
await using stack = new AsyncDisposableStack();
stack.defer(() => server.stop());
const { secrets, places, outcomes } = await sweepSecrets(rounds);
console.log(`${rounds} rounds, ${secrets.length} keys and tokens: ${JSON.stringify(outcomes)}`);
for (const [place, text] of Object.entries(places)) {
  const traces = tracesIn(text, secrets);
  console.log(`${place.padEnd(9)} ${(text.length / 1000).toFixed(0).padStart(7)} kB   ${traces.length} traces`);
  if (traces.length > 0) process.exitCode = 1;
}
