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
export const exitCode = { done: 0, failed: 1, usage: 2, retryLater: 3 } as const;

/** One subcommand. `run` gets the arguments behind its name; it prints to `io` and never ends the process itself. */
export interface Command<Needs extends Io = Io> {
  name: string;
  summary: string;
  help: string;
  run(argv: readonly string[], io: Needs): Promise<number>;
}

/** Opens what a command works with, as the settings say, runs the work and closes it again. */
export type WithResource<Opened> = <T>(work: (opened: Opened) => Promise<T>) => Promise<T>;

/** What an argument is: an option with or without a value, a positional one that must be there, or all that is left. */
interface ArgumentKinds {
  string: string | undefined;
  boolean: boolean;
  positional: string;
  rest: readonly string[];
}
type ArgumentSpec = Readonly<Record<string, keyof ArgumentKinds>>;

/** The arguments of a call, by the names under which they are taken. */
export type ParsedArguments<T extends ArgumentSpec> = { readonly [Name in keyof T]: ArgumentKinds[T[Name]] };

/** Arguments by their names; `undefined` where one is not known, lacks its value, is missing or one too many. */
export function parseArguments<const T extends ArgumentSpec>(
  argv: readonly string[],
  spec: T,
): ParsedArguments<T> | undefined {
  const entries = Object.entries(spec);
  const options: ParseArgsOptionsConfig = {};
  for (const [name, kind] of entries) {
    if (kind === 'string') options[name] = { type: kind };
    if (kind === 'boolean') options[name] = { type: kind, default: false };
  }
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    for (const [name, kind] of entries) {
      if (kind === 'positional') values[name] = positionals.shift();
      if (kind === 'rest') values[name] = positionals.splice(0);
    }
    const isMissing = entries.some(([name, kind]) => kind === 'positional' && values[name] === undefined);
    return isMissing || positionals.length > 0 ? undefined : (values as ParsedArguments<T>);
  } catch {
    return undefined;
  }
}

/** What a command prints to, and the ways in which it ends; each returns the exit code. */
export interface CommandOutput extends Io {
  /** Prints a text as it is, and anything else as JSON in one line. */
  succeed(result: string | object): number;
  /** Says why not everything was done (exit code `refused` unless another is given). */
  fail(message: string, code?: number): number;
  /** Says in one sentence how the command is meant to be called. */
  usageError(usageMessage: string): number;
}

/** The endings of a command of this name. */
export function createCommandOutput(command: string, io: Io): CommandOutput {
  const printError = (message: string, code: number): number => {
    io.err(`tally ${command}: ${message}\n`);
    return code;
  };
  return {
    ...io,
    succeed(result) {
      io.out(typeof result === 'string' ? result : `${JSON.stringify(result)}\n`);
      return exitCode.done;
    },
    fail: (message, code = exitCode.failed) => printError(message, code),
    usageError: (usageMessage) => printError(`${usageMessage} See tally ${command} --help.`, exitCode.usage),
  };
}

type Subcommand = (argv: readonly string[], io: CommandOutput) => Promise<number>;

/**
 * A verb of a command, which runs with its arguments by their names. `sentence` says which it takes, where others are
 * given, or `run` returns `undefined` since their values are not fit.
 */
export const defineSubcommand =
  <const T extends ArgumentSpec>(
    spec: T,
    usageMessage: string,
    run: (parsed: ParsedArguments<T>, io: CommandOutput) => number | undefined | Promise<number | undefined>,
  ): Subcommand =>
  async (argv, io) => {
    const parsed = parseArguments(argv, spec);
    const code = parsed && (await run(parsed, io));
    return code === undefined ? io.usageError(usageMessage) : code;
  };

interface SubcommandsOptions extends Omit<Command, 'run'> {
  subcommands: Readonly<Record<string, Subcommand>>;
  /** Verbs that another command has taken over, each with the words to type instead. */
  moved?: Readonly<Record<string, string>>;
}

/** A command whose first word is one of its verbs. */
export const createSubcommands = ({ subcommands, moved = {}, ...command }: SubcommandsOptions): Command => ({
  ...command,
  async run([first, ...rest], io) {
    const output = createCommandOutput(command.name, io);
    const subcommand = first !== undefined && Object.hasOwn(subcommands, first) ? subcommands[first] : undefined;
    if (subcommand) return subcommand(rest, output);
    if (first !== undefined && Object.hasOwn(moved, first))
      return output.usageError(`"${first}" has moved: run "${moved[first]}".`);
    const choices = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(Object.keys(subcommands));
    return output.usageError(first === undefined ? `say ${choices}.` : `there is no "${first}"; say ${choices}.`);
  },
});

/** Rows of cells in columns that are as wide as their widest cell, a line each; the first row heads them. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_cell, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const formatRow = (row: readonly string[]): string =>
    row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ');
  return rows.map((row) => `${formatRow(row).trimEnd()}\n`).join('');
}

/** An instant in UTC for a table, to its minute; `-` where there is none. */
export const formatMinute = (instant: Date | string | null): string =>
  instant === null ? '-' : new Date(instant).toISOString().slice(0, 16).replace('T', ' ');
