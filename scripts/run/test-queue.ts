import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the processes of a run find its queue: the environment variable of this name. */
const QUEUE_VARIABLE = 'TALLY_TEST_QUEUE';

/** A test file that shares no process says so in a comment, with the reason. */
const OWN_PROCESS = /^\/\/ Runs in a process of its own: /m;

/** The files of a run as its processes take them, each file once. */
export interface TestQueue {
  /** How many processes empty it: one for each file that shares none, and those that share the others. */
  processes: number;
  env: Record<string, string>;
  /** Files that no process ran to its end, because it died in one of them. */
  unfinished(): string[];
  remove(): void;
}

/** Each process takes one of `first`; one that took none of the `alone` goes on with what is left of `more`. */
interface Queued {
  first: string[];
  alone: string[];
  more: string[];
}

/**
 * Puts files (absolute) where processes take them. `shared` processes take one file after the other; with 0 each file
 * has a process of its own.
 */
export function createQueue(files: readonly string[], shared: number): TestQueue {
  const alone = files.filter((file) => shared === 0 || OWN_PROCESS.test(readFileSync(file, 'utf8')));
  const others = files.filter((file) => !alone.includes(file));
  const queued: Queued = { first: [...alone, ...others.slice(0, shared)], alone, more: others.slice(shared) };
  const folder = mkdtempSync(join(tmpdir(), 'tally-tests-'));
  writeFileSync(join(folder, 'files.json'), JSON.stringify(queued));
  return {
    processes: queued.first.length,
    env: { [QUEUE_VARIABLE]: folder },
    unfinished: () => files.filter((file) => !existsSync(markOf(folder, 'ended', file))),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** A file that is this process's to run; `alone` where no other file runs in it. */
interface TakenFile {
  file: string;
  alone: boolean;
}

/** The files for this process, each taken when the one before has ended. */
export function* takeFiles(): Generator<TakenFile> {
  const folder = process.env[QUEUE_VARIABLE]!;
  const { first, alone, more } = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8')) as Queued;
  const head = first.find((file) => mark(folder, 'taken', file));
  if (head === undefined) return;
  const isAlone = alone.includes(head);
  yield { file: head, alone: isAlone };
  mark(folder, 'ended', head);
  if (isAlone) return;
  for (const file of more) {
    if (!mark(folder, 'taken', file)) continue;
    yield { file, alone: false };
    mark(folder, 'ended', file);
  }
}

const markOf = (folder: string, name: 'taken' | 'ended', file: string): string =>
  join(folder, `${name}-${createHash('sha256').update(file).digest('hex')}`);

/** False where the file bears the mark already: making a folder is a step that only one process succeeds in. */
function mark(folder: string, name: 'taken' | 'ended', file: string): boolean {
  try {
    mkdirSync(markOf(folder, name, file));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
