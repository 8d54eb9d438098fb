import { readdirSync, readFileSync } from 'node:fs';

/** What /proc counts in, on every architecture. */
const TICKS_PER_SECOND = 100;

/**
 * Seconds of processor time, user and system, that this process has taken with all that run below it and all that have
 * ended there. `undefined` where there is no /proc, which is everywhere but on Linux.
 */
export function processorTime(): number | undefined {
  const running = new Map(processIds().flatMap((id) => readProcess(id) ?? []));
  if (!running.has(process.pid)) return undefined;
  let ticks = 0;
  for (const [id, taken] of running) if (isBelow(id, running)) ticks += taken.ticks;
  return ticks / TICKS_PER_SECOND;
}

interface Taken {
  parent: number;
  /** Its own, and those of its children that have ended. */
  ticks: number;
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
    return [[id, { parent: fields[1]!, ticks: fields.slice(11, 15).reduce((sum, part) => sum + part, 0) }]];
  } catch {
    return undefined;
  }
}

function isBelow(id: number, running: ReadonlyMap<number, Taken>): boolean {
  for (let at: number | undefined = id; at !== undefined; at = running.get(at)?.parent)
    if (at === process.pid) return true;
  return false;
}
