/** What a command may touch of the outside; tests hand in their own. */
export interface Io {
  out(text: string): void;
  err(text: string): void;
  /** Everything on standard input. */
  readInput(): Promise<string>;
  /** Resolves when the person or the system asks the program to end. */
  interrupted: Promise<void>;
}

/** Exit codes of every command (decisions §6). */
export const exitCode = { done: 0, refused: 1, usage: 2, retryLater: 3 } as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** One subcommand. `run` gets the arguments behind its name; it prints to `io` and never ends the process itself. */
export interface Command {
  name: string;
  summary: string;
  help: string;
  run(argv: readonly string[], io: Io): Promise<number>;
}
