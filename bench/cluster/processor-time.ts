import { readdirSync, readFileSync } from 'node:fs';

/**
 * Returns the processor time in ms that each server has used so far: its main process with all running children, and
 * the children that have ended. Reads /proc, so it works on Linux only.
 */
export function readProcessorTimes(pids: readonly number[]): number[] {
  const times = new Map(pids.map((pid) => [pid, readEndedChildrenMs(pid)]));
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const pid = Number(name);
    const server = times.has(pid) ? pid : readParent(pid);
    if (server !== undefined && times.has(server)) times.set(server, times.get(server)! + readRunMs(pid));
  }
  return [...times.values()];
}

/** Fields of /proc/<pid>/stat from the state on, which is after the name. `undefined` if the process has ended. */
function readStat(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return undefined;
  }
}

const readParent = (pid: number): number | undefined => {
  const parent = readStat(pid)?.[1];
  return parent === undefined ? undefined : Number(parent);
};

/** User and system time of waited-for children (fields 16 and 17 of proc(5)), in ticks of 10 ms. */
function readEndedChildrenMs(pid: number): number {
  const stat = readStat(pid);
  return stat === undefined ? 0 : (Number(stat[13]) + Number(stat[14])) * 10;
}

/** Time on a processor in ms, which the scheduler counts in nanoseconds. */
function readRunMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return 0;
  }
}
