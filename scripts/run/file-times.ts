import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { processorTimes, type Spender } from './processor-time.ts';

/** Where the processes of a run write what each file took: the environment variable of this name holds the path. */
const TIMES_VARIABLE = 'TALLY_TEST_TIMES';

/** Whose processes are counted: those below this one. */
const ROOT_VARIABLE = 'TALLY_TEST_ROOT';

/** Seconds of processor time. */
interface FileTimes {
  file: string;
  /** Its modules, in its own process; for the first file of a process, with the start of that. */
  load: number;
  /** Everything, by who took it. */
  spent: Record<string, number>;
}

const nothing = { loaded: (): void => {}, ended: (): void => {} };

/**
 * Measures one test file where the run asks for it. What the others of the run take meanwhile counts too, so such a run
 * has one process at a time.
 */
export function measureFile(file: string): typeof nothing {
  const path = process.env[TIMES_VARIABLE];
  const root = Number(process.env[ROOT_VARIABLE]);
  const before = path === undefined ? undefined : processorTimes(root);
  if (path === undefined || before === undefined) return nothing;
  if (measured === 0) before.set('tests', (before.get('tests') ?? 0) - ownSeconds());
  const loadedBefore = measured === 0 ? 0 : ownSeconds();
  measured += 1;
  let load = 0;
  return {
    loaded: () => void (load = ownSeconds() - loadedBefore),
    ended: () => {
      const now = processorTimes(root)!;
      const spent = Object.fromEntries([...now].map(([who, seconds]) => [who, seconds - (before.get(who) ?? 0)]));
      appendFileSync(path, `${JSON.stringify({ file, load, spent } satisfies FileTimes)}\n`);
    },
  };
}

/** Files that this process has measured. */
let measured = 0;

function ownSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** What a run's processes need in their environment to measure. */
export const measuringEnv = (path: string): Record<string, string> => ({
  [TIMES_VARIABLE]: path,
  [ROOT_VARIABLE]: String(process.pid),
});

const COLUMNS: readonly Spender[] = ['tests', 'started by tests', 'service', 'browser', 'database', 'others'];

/** Prints what was written, the dearest file first. */
export function printFileTimes(path: string): void {
  const rows = existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as FileTimes)
    : [];
  const all: FileTimes = { file: `all ${rows.length} files`, load: 0, spent: {} };
  for (const { load, spent } of rows) {
    all.load += load;
    for (const [who, seconds] of Object.entries(spent)) all.spent[who] = (all.spent[who] ?? 0) + seconds;
  }
  console.log(`Seconds of processor time:\n   all | ${['of it load', ...COLUMNS].join(' | ')} | file`);
  for (const row of [all, ...rows.toSorted((a, b) => sum(b) - sum(a))])
    console.log(
      [sum(row), row.load, ...COLUMNS.map((who) => row.spent[who] ?? 0)]
        .map((seconds) => seconds.toFixed(2).padStart(6))
        .concat(row.file)
        .join(' | '),
    );
}

const sum = ({ spent }: FileTimes): number => Object.values(spent).reduce((total, seconds) => total + seconds, 0);
