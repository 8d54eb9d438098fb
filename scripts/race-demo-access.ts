/**
 * `npm run lab -- race-demo-access [--rounds 10000] [--seed n]`: rounds of completions, revocations, expiry, the
 * reconciler and lost answers at once, in two processes that may stop at any statement or call of the provider, on a
 * real PostgreSQL. The rules are checked after each round and after its recovery. Prints each broken one with the seed
 * that plans its round again (`--seed n --rounds 1`), and ends with 1 where there was one. With `--unlocked` the
 * uniqueness of sessions is taken out first: that the same checks then find something wrong shows that they are awake.
 */
import { openDeployment } from '../test/support/demo-race/deployment.ts';
import { planRound } from '../test/support/demo-race/plan.ts';
import { type RoundFigures, runRound } from '../test/support/demo-race/run-round.ts';
import { readRounds, runRounds } from './run/seeded-rounds.ts';

const asked = readRounds(10_000, { canUnlock: true });
const deployment = await openDeployment();
const totals: RoundFigures = { stopped: 0, bound: 0, refused: 0, revoked: 0 };
let broken = 0;
try {
  if (asked.unlocked)
    await deployment.db.owner(
      'alter table public.demo_access_invitations drop constraint demo_access_invitations_session_id_key',
    );
  broken = await runRounds(asked, 1_000, async (seed) => {
    const { wrong, figures } = await runRound(deployment, planRound(seed));
    for (const name of Object.keys(totals) as (keyof RoundFigures)[]) totals[name] += figures[name];
    return wrong;
  });
} finally {
  await deployment.close();
}
const { stopped, bound, refused, revoked } = totals;
console.log(
  `${asked.rounds} rounds: ${bound} completions bound, ${refused} refused, ${revoked} revocations confirmed, ` +
    `${stopped} processes stopped and restarted, ${broken} broken rules`,
);
process.exitCode = broken > 0 ? 1 : 0;
