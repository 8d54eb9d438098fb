import { readdirSync, readFileSync } from 'node:fs';

/** What /proc counts in, on every architecture. */
const TICKS_PER_SECOND = 100;

/** Whose processor time it was. */
export type Spender = 'tests' | 'started by tests' | 'service' | 'browser' | 'database' | 'others';

/**
 * Seconds of processor time, user and system, that process `root` (default: this one) has taken with all that run below
 * it and all that have ended there. `undefined` where there is no /proc, which is everywhere but on Linux.
 */
export function processorTime(root = process.pid): number | undefined {
  const spent = processorTimes(root);
  return spent && [...spent.values()].reduce((sum, seconds) => sum + seconds, 0);
}

/** The same, by who took it. */
export function processorTimes(root = process.pid): Map<Spender, number> | undefined {
  const running = new Map(processIds().flatMap((id) => readProcess(id) ?? []));
  if (!running.has(root)) return undefined;
  const spent = new Map<Spender, number>();
  for (const [id, { own, ended }] of running) {
    if (!isBelow(id, root, running)) continue;
    const spender = spenderOf(id, running);
    spent.set(spender, (spent.get(spender) ?? 0) + own / TICKS_PER_SECOND);
    const ofEnded = spender === 'tests' ? 'started by tests' : spender;
    spent.set(ofEnded, (spent.get(ofEnded) ?? 0) + ended / TICKS_PER_SECOND);
  }
  return spent;
}

interface Taken {
  parent: number;
  own: number;
  /** Ticks of its children that have ended. */
  ended: number;
}

function processIds(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** Nothing where it has ended meanwhile. */
function readProcess(id: number): [[number, Taken]] | undefined {
  try {
    // The name before the bracket may hold anything.
    const fields = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1)!.split(' ').map(Number);
    return [[id, { parent: fields[1]!, own: fields[11]! + fields[12]!, ended: fields[13]! + fields[14]! }]];
  } catch {
    return undefined;
  }
}

function isBelow(id: number, root: number, running: ReadonlyMap<number, Taken>): boolean {
  for (let at: number | undefined = id; at !== undefined; at = running.get(at)?.parent) if (at === root) return true;
  return false;
}

const SPENDERS: readonly [RegExp, Spender][] = [
  [/test-process\.ts/, 'tests'],
  [/shared-site-process\.ts/, 'service'],
  [/chrom/, 'browser'],
  [/postgres/, 'database'],
];

/** That of the nearest process above which tells; one that has just ended has no command line. */
function spenderOf(id: number, running: ReadonlyMap<number, Taken>): Spender {
  for (let at: number | undefined = id; at !== undefined; at = running.get(at)?.parent) {
    const command = commandOf(at);
    const found = SPENDERS.find(([pattern]) => pattern.test(command));
    if (found) return found[1] === 'tests' && at !== id ? 'started by tests' : found[1];
  }
  return 'others';
}

function commandOf(id: number): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
