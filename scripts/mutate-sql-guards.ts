/**
 * Loosens each guard of the member's SQL, one at a time, and runs the attacks on it: a mutant that none of them notices
 * survives, and the exit code is 1. A first argument picks the mutants whose text contains it.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { startTestCluster } from '../test/support/cluster.ts';
import { databaseMutants, guardMutants } from '../test/support/sql-attacks/guard-mutants.ts';

const [wanted = ''] = process.argv.slice(2);
const started = performance.now();
const { env, stop } = await startTestCluster();
const survivors: string[] = [];
let tried = 0;

/** Whether the attacks turn red where `mutant` is in force: before the database is asked, or once it is. */
const isNoticed = async (mutant: object): Promise<boolean> =>
  (!('database' in mutant) && (await turnsRed('src/assistant/sql/check-sql.test.ts', mutant))) ||
  turnsRed('src/assistant/sql/attacks.test.ts', mutant);

/** The attacks end by themselves, or are ended after three minutes: then something hung, which is noticed too. */
async function turnsRed(file: string, mutant: object): Promise<boolean> {
  // What the role itself may read shows behind the parser, where npm test takes a part of the attacks.
  const long = 'database' in mutant ? { LONG_TESTS: 'on' } : {};
  const child = spawn(
    process.execPath,
    ['--import', './test/support/sql-attacks/loosen.ts', '--test', '--test-force-exit', file],
    { stdio: 'ignore', timeout: 180_000, env: { ...process.env, ...env, ...long, LOOSENED: JSON.stringify(mutant) } },
  );
  return (await new Promise<number | null>((resolve) => child.on('exit', resolve))) !== 0;
}

try {
  if (await isNoticed({})) throw new Error('The attacks are red with every guard in its place; run them alone first.');
  const mutants = [...guardMutants, ...databaseMutants.map((text) => ({ database: text }))];
  for (const mutant of mutants) {
    const name = JSON.stringify(mutant);
    if (!name.includes(wanted)) continue;
    if ('file' in mutant && !readFileSync(mutant.file, 'utf8').includes(mutant.find))
      throw new Error(`${mutant.file} does not hold: ${mutant.find}`);
    tried += 1;
    const noticed = await isNoticed(mutant);
    if (!noticed) survivors.push(name);
    console.log(`${noticed ? 'noticed ' : 'SURVIVED'} ${name.slice(0, 150)}`);
  }
} finally {
  await stop();
}
const seconds = ((performance.now() - started) / 1000).toFixed(0);
console.log(
  `${tried} guards loosened, ${tried - survivors.length} noticed, ${survivors.length} survived, ${seconds} s`,
);
process.exitCode = survivors.length > 0 || tried === 0 ? 1 : 0;
