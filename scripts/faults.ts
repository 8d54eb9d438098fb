/**
 * `npm run lab -- faults [--rounds 1] [--only text]`: two servers and a worker behind haproxy, with PgBouncer, Redis
 * and a PostgreSQL of their own; under a mixed load one fault after another is tried (those whose name has `text`).
 * Prints of each, as a row of docs/operations.md, what people saw in the last round and how long (medians of the
 * rounds), and ends with 1 where something acknowledged was lost or a limit was overrun. As root also: a full disk,
 * clocks that jump (Debian's libfaketime), a name server that does not respond; what cannot be tried here is said.
 */
import { parseArgs } from 'node:util';
import { prepareCircumstances } from './faults/circumstances.ts';
import { type Fault, faults, whyNot } from './faults/kinds.ts';
import { startLoad } from './faults/load.ts';
import { type Observed, observe } from './faults/observe.ts';
import { missingPrograms } from './stack/neighbours.ts';
import { startStack } from './stack/start-stack.ts';
import { median } from '../test/support/median.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '1' }, only: { type: 'string', default: '' } },
});
const rounds = Number(values.rounds);
const chosen = faults.filter(({ name }) => name.includes(values.only));
const missing = missingPrograms();
if (!Number.isSafeInteger(rounds) || rounds < 1 || chosen.length === 0 || missing.length > 0) {
  console.error(missing.length > 0 ? `Not installed: ${missing.join(', ')}.` : '--rounds is a whole number.');
  process.exit(2);
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

let broken = 0;
let tried = 0;
for (const under of ['plain', 'clock', 'providers'] as const) {
  const some = chosen.filter((fault) => fault.under === under);
  if (some.length > 0) await tryAll(under, some);
}
console.log(`${tried} faults, ${rounds} rounds: ${broken} promises broken`);
process.exitCode = broken > 0 ? 1 : 0;

async function tryAll(under: Fault['under'], some: readonly Fault[]): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const circumstances = await prepareCircumstances(under, stack);
  const running = await startStack(stack, { ...circumstances.launch, diskMb: 600 });
  const load = await startLoad(running);
  stack.defer(() => load.stop());
  for (const fault of some) {
    const reason = whyNot(fault, running, circumstances);
    if (reason !== undefined) {
      console.log(`NOT TRIED  ${fault.name}: ${reason}`);
      continue;
    }
    tried += 1;
    const observed: Observed[] = [];
    for (let round = 0; round < rounds; round += 1)
      observed.push(await observe(fault, { stack: running, load, circumstances }));
    report(fault, observed);
  }
}

function report({ name }: Fault, observed: readonly Observed[]): void {
  const last = observed.at(-1)!;
  const failed = [...last.failures].map(([what, by]) => {
    const operations = [...by].toSorted(([, a], [, b]) => b - a).map(([operation, n]) => `${operation} ${n}`);
    return `${what}: ${operations.join(', ')}`;
  });
  const acknowledged = observed.reduce((sum, each) => sum + each.acknowledged, 0);
  const lost = observed.flatMap((each) => each.broken);
  broken += lost.length;
  console.log(
    `| ${name} | ${failed.join('; ') || 'nothing'} (of ${last.answered + failuresOf(last)}) | ` +
      `${seconds(median(observed.map(({ longest }) => longest)))} | ` +
      `${seconds(median(observed.map(({ troubled }) => troubled)))} | ` +
      `${lost.length === 0 ? `nothing of ${acknowledged}` : `BROKEN: ${lost.join('; ')}`} | ${last.counted} |`,
  );
}

function failuresOf({ failures }: Observed): number {
  return [...failures.values()].flatMap((by) => [...by.values()]).reduce((sum, n) => sum + n, 0);
}
