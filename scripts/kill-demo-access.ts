/**
 * `npm run lab -- kill-demo-access [--rounds 200] [--seed n]`: two service processes on a PostgreSQL and beside a
 * hosted identity provider that outlive them. Each round sends one of them completions, a revocation and a creation,
 * kills it (SIGKILL) at a call of the provider or at some moment, restarts it, and looks at every invitation once all
 * has converged. Ends with 1 where a rule was broken.
 */
import { parseArgs } from 'node:util';
import { startReplicas } from '../test/support/demo-kill/replicas.ts';
import { runKill } from '../test/support/demo-kill/run-kill.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '200' }, seed: { type: 'string' } } });
const rounds = Number(values.rounds);
const first = Number(values.seed ?? Date.now() % 1_000_000);
if (!Number.isSafeInteger(rounds) || rounds < 1 || !Number.isSafeInteger(first)) {
  console.error('--rounds and --seed are whole numbers.');
  process.exit(2);
}
console.log(`${rounds} rounds from seed ${first}`);

const replicas = await startReplicas();
const started = performance.now();
let [broken, cut, longest] = [0, 0, 0];
try {
  for (let seed = first; seed < first + rounds; seed += 1) {
    const { wrong, isCut, admittedForMs } = await runKill(replicas, seed);
    for (const sentence of wrong) console.log(`WRONG  seed ${seed}: ${sentence}`);
    broken += wrong.length;
    if (isCut) cut += 1;
    longest = Math.max(longest, admittedForMs);
    if ((seed - first + 1) % 20 === 0)
      console.log(
        `${seed - first + 1} kills, ${Math.round((performance.now() - started) / 1_000)} s, ${broken} broken rules`,
      );
  }
} finally {
  await replicas.close();
}
console.log(
  `${rounds} kills, ${cut} with requests under way; the other process admitted a revoked session for at most ` +
    `${Math.round(longest)} ms; ${broken} broken rules`,
);
process.exitCode = broken > 0 ? 1 : 0;
