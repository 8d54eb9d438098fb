import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/** What every command may touch of the outside; tests hand in their own. */
export interface Io {
  out(text: string): void;
  err(text: string): void;
}

/** What the program as a whole has; a command says which part of it it needs. */
export interface ProgramIo extends Io {
  /** Everything on standard input, byte for byte. */
  readInput(): Promise<Buffer>;
  /** Resolves when the person or the system asks the program to end. */
  interrupted: Promise<void>;
  /** What is printed is read by a person at a terminal, not kept in a file or read by a program. */
  isTerminal: boolean;
}

/** Exit codes of every command. */
export const exitCode = { done: 0, refused: 1, usage: 2, retryLater: 3 } as const;

/** One subcommand. `run` gets the arguments behind its name; it prints to `io` and never ends the process itself. */
export interface Command<Needs extends Io = Io> {
  name: string;
  summary: string;
  help: string;
  run(argv: readonly string[], io: Needs): Promise<number>;
}

/** Opens what a command works with, as the settings say, runs the work and closes it again. */
export type With<Opened> = <T>(work: (opened: Opened) => Promise<T>) => Promise<T>;

/** What an argument is: an option with or without a value, a positional one that must be there, or all that is left. */
interface Kinds {
  string: string | undefined;
  boolean: boolean;
  positional: string;
  rest: readonly string[];
}
type Takes = Readonly<Record<string, keyof Kinds>>;

/** The arguments of a call, by the names under which they are taken. */
export type Given<T extends Takes> = { readonly [Name in keyof T]: Kinds[T[Name]] };

/** Arguments by their names; `undefined` where one is not known, lacks its value, is missing or one too many. */
export function readArguments<const T extends Takes>(argv: readonly string[], takes: T): Given<T> | undefined {
  const named = Object.entries(takes);
  const options: ParseArgsOptionsConfig = {};
  for (const [name, kind] of named) {
    if (kind === 'string') options[name] = { type: kind };
    if (kind === 'boolean') options[name] = { type: kind, default: false };
  }
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    for (const [name, kind] of named) {
      if (kind === 'positional') values[name] = positionals.shift();
      if (kind === 'rest') values[name] = positionals.splice(0);
    }
    const lacks = named.some(([name, kind]) => kind === 'positional' && values[name] === undefined);
    return lacks || positionals.length > 0 ? undefined : (values as Given<T>);
  } catch {
    return undefined;
  }
}

/** What a command prints to, and the ways in which it ends; each returns the exit code. */
export interface Endings extends Io {
  /** Prints a text as it is, and anything else as JSON in one line. */
  done(answer: string | object): number;
  /** Says why not everything was done (exit code `refused` unless another is given). */
  refuse(sentence: string, code?: number): number;
  /** Says in one sentence how the command is meant to be called. */
  usage(sentence: string): number;
}

/** The endings of a command of this name. */
export function endingsOf(command: string, io: Io): Endings {
  const complain = (sentence: string, code: number): number => {
    io.err(`tally ${command}: ${sentence}\n`);
    return code;
  };
  return {
    ...io,
    done(answer) {
      io.out(typeof answer === 'string' ? answer : `${JSON.stringify(answer)}\n`);
      return exitCode.done;
    },
    refuse: (sentence, code = exitCode.refused) => complain(sentence, code),
    usage: (sentence) => complain(`${sentence} See tally ${command} --help.`, exitCode.usage),
  };
}

type Verb = (argv: readonly string[], io: Endings) => Promise<number>;

/**
 * A verb of a command, which runs with its arguments by their names. `sentence` says which it takes, where others are
 * given, or `run` returns `undefined` since their values are not fit.
 */
export const verb =
  <const T extends Takes>(
    takes: T,
    sentence: string,
    run: (given: Given<T>, io: Endings) => number | undefined | Promise<number | undefined>,
  ): Verb =>
  async (argv, io) => {
    const given = readArguments(argv, takes);
    const code = given && (await run(given, io));
    return code === undefined ? io.usage(sentence) : code;
  };

interface CommandOfVerbs extends Omit<Command, 'run'> {
  verbs: Readonly<Record<string, Verb>>;
  /** Verbs that another command has taken over, each with the words to type instead. */
  moved?: Readonly<Record<string, string>>;
}

/** A command whose first word is one of its verbs. */
export const commandOfVerbs = ({ verbs, moved = {}, ...command }: CommandOfVerbs): Command => ({
  ...command,
  async run([first, ...rest], io) {
    const endings = endingsOf(command.name, io);
    const chosen = first !== undefined && Object.hasOwn(verbs, first) ? verbs[first] : undefined;
    if (chosen) return chosen(rest, endings);
    if (first !== undefined && Object.hasOwn(moved, first))
      return endings.usage(`"${first}" has moved: run "${moved[first]}".`);
    const known = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(Object.keys(verbs));
    return endings.usage(first === undefined ? `say ${known}.` : `there is no "${first}"; say ${known}.`);
  },
});

/** Rows of cells in columns that are as wide as their widest cell, a line each; the first row heads them. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_cell, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const inLine = (row: readonly string[]): string => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ');
  return rows.map((row) => `${inLine(row).trimEnd()}\n`).join('');
}

/** An instant in UTC for a table, to its minute; `-` where there is none. */
export const minuteOf = (instant: Date | string | null): string =>
  instant === null ? '-' : new Date(instant).toISOString().slice(0, 16).replace('T', ' ');
