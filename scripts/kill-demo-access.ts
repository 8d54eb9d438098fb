/**
 * `npm run lab -- kill-demo-access [--rounds 200] [--seed n]`: two service processes on a PostgreSQL and beside a
 * hosted identity provider that outlive them. Each round sends one of them completions, a revocation and a creation,
 * kills it (SIGKILL) at a call of the provider or at some moment, restarts it, and looks at every invitation once all
 * has converged. Ends with 1 where a rule was broken.
 */
import { startReplicas } from '../test/support/demo-kill/replicas.ts';
import { runKill } from '../test/support/demo-kill/run-kill.ts';
import { readRounds, runRounds } from './run/seeded-rounds.ts';

const asked = readRounds(200);
const replicas = await startReplicas();
let [broken, cut, longest] = [0, 0, 0];
try {
  broken = await runRounds(asked, 20, async (seed) => {
    const { wrong, isCut, admittedForMs } = await runKill(replicas, seed);
    if (isCut) cut += 1;
    longest = Math.max(longest, admittedForMs);
    return wrong;
  });
} finally {
  await replicas.close();
}
console.log(
  `${asked.rounds} kills, ${cut} with requests under way; the other process admitted a revoked session for at most ` +
    `${Math.round(longest)} ms; ${broken} broken rules`,
);
process.exitCode = broken > 0 ? 1 : 0;
