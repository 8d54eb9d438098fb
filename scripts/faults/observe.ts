import { setTimeout as sleep } from 'node:timers/promises';
import type { Circumstances } from './circumstances.ts';
import type { Fault } from './kinds.ts';
import { COUNTS, isFailure, type Load, ROWS, type Seen } from './load.ts';
import type { Stack } from '../stack/start-stack.ts';

export interface Observed {
  /** Answers that are failures, as `503 UNAVAILABLE` or `ECONNRESET`, with the operations that met them. */
  failures: Map<string, Map<string, number>>;
  answered: number;
  /** The longest that somebody waited for an answer, failures included, in ms. */
  longest: number;
  /** From the end of the cause to the last failure, in ms; 0 where none came later. */
  troubled: number;
  acknowledged: number;
  /** What was promised and not kept, and limits that were overrun. */
  broken: string[];
  /** Counts of the limited key in the fullest 59 s. */
  counted: number;
}

const CLEAN_MS = 3_000;
const LONGEST_MS = 90_000;

/** Tries a fault under the load and looks at what came of it, once all is well again. */
export async function observe(
  fault: Fault,
  { stack, load, circumstances }: { stack: Stack; load: Load; circumstances: Circumstances },
): Promise<Observed> {
  const before = acknowledgedBy(load);
  const begun = performance.now();
  await fault.run(stack, circumstances);
  const healed = performance.now();
  const lastFailure = (): number => load.seen.findLast((each) => each.from >= begun && isFailure(each))?.at ?? 0;
  while (performance.now() - Math.max(healed, lastFailure()) < CLEAN_MS && performance.now() < healed + LONGEST_MS)
    await sleep(100);
  const broken: string[] = [];
  await load.pausedFor(async () => {
    // What a process had not answered yet may still be done.
    await sleep(300);
    for (const ledger of load.ledgers) {
      if (!(await ledger.settle())) broken.push('a list could not be read');
      broken.push(...ledger.broken.splice(0));
    }
    const rows = await load.crowdedRows();
    if (rows > ROWS) broken.push(`${rows} rows of at most ${ROWS}`);
  });
  const seen = load.seen.filter(({ at }) => at >= begun);
  const counted = fullestMinute(load.seen, begun);
  // Beside Redis that is away each process counts for itself: docs/scaling.md.
  if (counted > COUNTS * (fault.name.startsWith('Redis') ? 2 : 1))
    broken.push(`${counted} counts of at most ${COUNTS}`);
  const failures: Observed['failures'] = new Map();
  for (const each of seen.filter(isFailure)) {
    const what = `${each.status}${each.code ? ` ${each.code}` : ''}`;
    const of = failures.get(what) ?? new Map<string, number>();
    failures.set(what, of.set(each.operation, (of.get(each.operation) ?? 0) + 1));
  }
  return {
    ...{ failures, broken, counted },
    answered: seen.filter((each) => !isFailure(each)).length,
    longest: Math.max(...seen.map(({ from, at }) => at - from)),
    troubled: Math.max(0, lastFailure() - healed),
    acknowledged: acknowledgedBy(load) - before,
  };
}

const acknowledgedBy = ({ ledgers }: Load): number => ledgers.reduce((sum, { acknowledged }) => sum + acknowledged, 0);

/** A request is counted up to a second before its answer arrives, so a window is a second shorter. */
function fullestMinute(seen: readonly Seen[], since: number): number {
  const counted = seen.filter(({ operation, status }) => operation === 'limited' && status === 200).map(({ at }) => at);
  const windows = counted.filter((from) => from + 59_000 >= since);
  return Math.max(0, ...windows.map((from) => counted.filter((at) => at >= from && at < from + 59_000).length));
}
