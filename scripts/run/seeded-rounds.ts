import { parseArgs } from 'node:util';

interface Rounds {
  rounds: number;
  /** The seed of the first round; each further one has the next. */
  first: number;
  /** Whether a rule of the database is taken out first, so that the checks must find something. */
  unlocked: boolean;
}

/**
 * Reads `--rounds` and `--seed`, and `--unlocked` where it `canUnlock`; says the first two. A process that is called
 * otherwise ends with 2.
 */
export function readRounds(fallback: number, { canUnlock = false } = {}): Rounds {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: String(fallback) },
      seed: { type: 'string' },
      unlocked: { type: 'boolean', default: false },
    },
  });
  const rounds = Number(values.rounds);
  const first = Number(values.seed ?? Date.now() % 1_000_000);
  if (!Number.isSafeInteger(rounds) || rounds < 1 || !Number.isSafeInteger(first) || (values.unlocked && !canUnlock)) {
    console.error(`--rounds and --seed are whole numbers${canUnlock ? '' : '; there is no --unlocked'}.`);
    process.exit(2);
  }
  console.log(`${rounds} rounds from seed ${first}`);
  return { rounds, first, unlocked: values.unlocked };
}

/** Runs one round after another, prints each broken rule with its seed, and returns how many were broken. */
export async function runRounds(
  { rounds, first }: Pick<Rounds, 'rounds' | 'first'>,
  every: number,
  run: (seed: number) => Promise<readonly string[]>,
): Promise<number> {
  const started = performance.now();
  let broken = 0;
  for (let done = 1; done <= rounds; done += 1) {
    const seed = first + done - 1;
    const wrong = await run(seed);
    for (const sentence of wrong) console.log(`WRONG  seed ${seed}: ${sentence}`);
    broken += wrong.length;
    if (done % every === 0)
      console.log(`${done} rounds, ${Math.round((performance.now() - started) / 1_000)} s, ${broken} broken rules`);
  }
  return broken;
}
