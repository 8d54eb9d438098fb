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

/** Options and the words beside them; `undefined` where an option is not known or lacks its value. */
export function readArguments<const Options extends ParseArgsOptionsConfig>(argv: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch {
    return undefined;
  }
}

/** Says in one sentence how a command is meant to be called. */
export function usage(io: Io, command: string, sentence: string): number {
  io.err(`tally ${command}: ${sentence} See tally ${command} --help.\n`);
  return exitCode.usage;
}

/** The same for a command whose first word is missing or none of its verbs (`set or list`). */
export function usageOfVerbs(io: Io, command: string, verb: string | undefined, verbs: string): number {
  return usage(io, command, verb === undefined ? `say ${verbs}.` : `there is no "${verb}"; say ${verbs}.`);
}

/** Rows of cells in columns that are as wide as their widest cell, a line each; the first row heads them. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_cell, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const inLine = (row: readonly string[]): string => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ');
  return rows.map((row) => `${inLine(row).trimEnd()}\n`).join('');
}
