/**
 * `npm run lab -- race-demo-access [--rounds 10000] [--seed n]`: rounds of completions, revocations, expiry, the
 * reconciler and lost answers at once, in two processes that may stop at any statement or call of the provider, on a
 * real PostgreSQL. The rules are checked after each round and after its recovery. Prints each broken one with the seed
 * that plans its round again (`--seed n --rounds 1`), and ends with 1 where there was one. With `--unlocked` the
 * uniqueness of sessions is taken out first: that the same checks then find something wrong shows that they are awake.
 */
import { parseArgs } from 'node:util';
import { openDeployment } from '../test/support/demo-race/deployment.ts';
import { planRound } from '../test/support/demo-race/plan.ts';
import { type RoundFigures, runRound } from '../test/support/demo-race/run-round.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10000' },
    seed: { type: 'string' },
    unlocked: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const first = Number(values.seed ?? Date.now() % 1_000_000);
if (!Number.isSafeInteger(rounds) || rounds < 1 || !Number.isSafeInteger(first)) {
  console.error('--rounds and --seed are whole numbers.');
  process.exit(2);
}
console.log(`${rounds} rounds from seed ${first}`);

const deployment = await openDeployment();
const totals: RoundFigures = { stopped: 0, bound: 0, refused: 0, revoked: 0 };
const started = performance.now();
let broken = 0;
try {
  if (values.unlocked)
    await deployment.db.owner(
      'alter table public.demo_access_invitations drop constraint demo_access_invitations_session_id_key',
    );
  for (let seed = first; seed < first + rounds; seed += 1) {
    const { wrong, figures } = await runRound(deployment, planRound(seed));
    for (const sentence of wrong) console.log(`WRONG  seed ${seed}: ${sentence}`);
    broken += wrong.length;
    for (const name of Object.keys(totals) as (keyof RoundFigures)[]) totals[name] += figures[name];
    if ((seed - first + 1) % 1_000 === 0)
      console.log(
        `${seed - first + 1} rounds, ${Math.round((performance.now() - started) / 1_000)} s, ${broken} broken rules`,
      );
  }
} finally {
  await deployment.close();
}
const { stopped, bound, refused, revoked } = totals;
console.log(
  `${rounds} rounds: ${bound} completions bound, ${refused} refused, ${revoked} revocations confirmed, ` +
    `${stopped} processes stopped and restarted, ${broken} broken rules`,
);
process.exitCode = broken > 0 ? 1 : 0;
