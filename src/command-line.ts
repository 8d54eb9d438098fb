import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/** The input and output of every command. Tests pass their own. */
export interface Io {
  out(text: string): void;
  err(text: string): void;
}

/** The input and output of the whole program. Each command declares which part it needs. */
export interface ProgramIo extends Io {
  /** Reads all of standard input, byte for byte. */
  readInput(): Promise<Buffer>;
  /** Resolves when the person or the system interrupts the program. */
  interrupted: Promise<void>;
  /** Whether a person reads the output at a terminal. It is false for a file or another program. */
  isTerminal: boolean;
}

/** Exit codes of every command. */
export const exitCode = { done: 0, failed: 1, usage: 2, retryLater: 3 } as const;

/** One subcommand. `run` receives the arguments behind its name, prints to `io` and never ends the process. */
export interface Command<Needs extends Io = Io> {
  name: string;
  summary: string;
  help: string;
  run(argv: readonly string[], io: Needs): Promise<number>;
}

/** Opens a resource according to the settings, runs the work and closes the resource. */
export type WithResource<Opened> = <T>(work: (opened: Opened) => Promise<T>) => Promise<T>;

/** The kinds of argument: options with or without a value, required positional ones, and all remaining ones. */
interface ArgumentKinds {
  string: string | undefined;
  boolean: boolean;
  positional: string;
  rest: readonly string[];
}
type ArgumentSpec = Readonly<Record<string, keyof ArgumentKinds>>;

/** The parsed arguments of a call, by name. */
export type ParsedArguments<T extends ArgumentSpec> = { readonly [Name in keyof T]: ArgumentKinds[T[Name]] };

/**
 * Returns the arguments by name. Returns `undefined` if one is unknown, lacks its value, is missing or is superfluous.
 */
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

/** The output of a command and the ways to end it. Each of them returns the exit code. */
export interface CommandOutput extends Io {
  /** Prints a text unchanged, and any other value as JSON in one line. */
  succeed(result: string | object): number;
  /** Prints why the command failed. The exit code is `failed` unless another is given. */
  fail(message: string, code?: number): number;
  /** Prints in one sentence how to call the command. */
  usageError(usageMessage: string): number;
}

/** Returns the output functions of the command with this name. */
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
 * Defines a subcommand, which runs with its arguments by name. Prints `usageMessage` if other arguments are given, or if
 * `run` returns `undefined` for invalid values.
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
}

/** Creates a command whose first argument names a subcommand. */
export const createSubcommands = ({ subcommands, ...command }: SubcommandsOptions): Command => ({
  ...command,
  async run([first, ...rest], io) {
    const output = createCommandOutput(command.name, io);
    const subcommand = first !== undefined && Object.hasOwn(subcommands, first) ? subcommands[first] : undefined;
    if (subcommand) return subcommand(rest, output);
    const choices = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(Object.keys(subcommands));
    return output.usageError(
      first === undefined
        ? `expects one of: ${choices}.`
        : `unknown subcommand "${first}"; expects one of: ${choices}.`,
    );
  },
});

/** Formats rows as aligned columns, one row a line. The first row is the header. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_cell, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const formatRow = (row: readonly string[]): string =>
    row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ');
  return rows.map((row) => `${formatRow(row).trimEnd()}\n`).join('');
}

/** Formats an instant in UTC to the minute, or as `-` if there is none. */
export const formatMinute = (instant: Date | string | null): string =>
  instant === null ? '-' : new Date(instant).toISOString().slice(0, 16).replace('T', ' ');
