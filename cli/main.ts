import { buffer } from 'node:stream/consumers';
import { type Command, exitCode, type Io, type ProgramIo } from '../src/command-line.ts';
import { AppError } from '../src/errors.ts';
import {
  getProgramVersion,
  isDatabaseUnreachable,
  isDataDirectoryUnavailable,
  isLocalDiskFull,
  isDatabaseDiskFull,
  isSettingError,
} from '../src/main.ts';
import { commands } from './commands.ts';

/** Runs `tally <command> …` and returns the exit code. Writes each error to standard error as one sentence. */
export async function runProgram(argv: readonly string[], io: ProgramIo): Promise<number> {
  const [name, ...rest] = argv;
  if (name === '--version' || name === '-v' || name === 'version') {
    io.out(`${getProgramVersion()}\n`);
    return exitCode.done;
  }
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    io.out(formatOverview());
    return name === undefined ? exitCode.usage : exitCode.done;
  }
  const command = commands.find((candidate) => candidate.name === name);
  if (!command) {
    io.err(`tally: unknown command "${name}"; see tally --help.\n`);
    return exitCode.usage;
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    io.out(`${command.help.trimEnd()}\n`);
    return exitCode.done;
  }
  try {
    const code = await command.run(rest, io);
    if (code === exitCode.usage) reportUnknownOption(command, rest, io);
    return code;
  } catch (error) {
    return reportError(command, error, io);
  }
}

/** Reports an unknown option. The help of a command names each option of its subcommands. */
function reportUnknownOption({ name, help }: Command<ProgramIo>, argv: readonly string[], io: Io): void {
  const end = argv.indexOf('--');
  const givenOptions = argv.slice(0, end < 0 ? undefined : end).map((word) => word.replace(/=.*/s, ''));
  const knownOptions = new Set(help.match(/--?[a-z][\w-]*/g));
  const unknown = givenOptions.find((word) => /^--?[a-z]/i.test(word) && !knownOptions.has(word));
  if (unknown) io.err(`tally ${name}: unknown option ${unknown}.\n`);
}

function formatOverview(): string {
  const width = Math.max(...commands.map((command) => command.name.length));
  const lines = commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`);
  return (
    `tally <command> [options]\n\n${lines.join('\n')}\n\nEvery command has --help, tally --version. ` +
    `Exit codes: 0 done, 1 failed, 2 usage, 3 try again later.\n`
  );
}

/** SQLSTATE of a server that has no connection left. */
const SERVER_FULL = '53300';

/** Writes the reason of a failed command in one sentence and returns the exit code. */
export function reportError(command: Pick<Command<ProgramIo>, 'name'>, thrown: unknown, io: Pick<Io, 'err'>): number {
  const report = (sentence: string, code: number): number => {
    io.err(`tally ${command.name}: ${sentence}\n`);
    return code;
  };
  const isUnavailable = thrown instanceof AppError && thrown.code === 'UNAVAILABLE';
  // Only errors of the database have a cause. Other errors already name the unavailable service.
  if (isUnavailable && thrown.cause === undefined) return report(thrown.message, exitCode.retryLater);
  const error = isUnavailable ? thrown.cause : thrown;
  if (isSettingError(error)) return report(error.message, exitCode.usage);
  if (isDataDirectoryUnavailable(error)) return report(error.message, exitCode.retryLater);
  const { message, code, path, setting = 'DB_URL' } = error as NodeJS.ErrnoException & { setting?: string };
  const errorText = message || String(code ?? error);
  // Before the next, since a server whose disk is full may end the connection.
  if (isDatabaseDiskFull(error))
    return report(`The disk of the database is full (${errorText}): free space, then try again.`, exitCode.retryLater);
  if (isUnavailable || isDatabaseUnreachable(error) || code === SERVER_FULL)
    return report(
      `The database cannot be reached (${errorText}); try again later, or check ${setting}.`,
      exitCode.retryLater,
    );
  if (isLocalDiskFull(error)) {
    const disk = path === undefined ? 'The disk' : `The disk of ${path}`;
    return report(`${disk} is full (${code}): free space, or name another place.`, exitCode.retryLater);
  }
  const deniedFile = describeDeniedFile(error);
  return deniedFile === undefined ? report(errorText, exitCode.failed) : report(deniedFile, exitCode.usage);
}

/** Returns a sentence for a file that the system denies, or undefined for another error. */
function describeDeniedFile(error: unknown): string | undefined {
  const { code = '', path } = (error ?? {}) as NodeJS.ErrnoException;
  if (path === undefined || !/^(EACCES|EPERM|EROFS)$/.test(code)) return undefined;
  return `${path} cannot be used (${code}): change its owner, or name another place.`;
}

/** Ignores a closed pipe (`| head -1`), which is no error of the command. Other write errors are thrown. */
function ignoreBrokenPipe(): void {
  process.stderr.on('error', () => {});
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return;
    process.stderr.write(`tally: Standard output cannot be written (${code}).\n`);
    process.once('exit', () => {
      process.exitCode = exitCode.failed;
    });
  });
}

/**
 * Returns the process as `ProgramIo`. A second interrupt ends the program at once if it comes a second or more later.
 */
export function processIo(): ProgramIo {
  ignoreBrokenPipe();
  const interrupted = new Promise<void>((resolve) => {
    let interruptedAt: number | undefined;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        // npm forwards a Ctrl-C that the terminal has already sent, so one interrupt is delivered twice.
        if (interruptedAt !== undefined && performance.now() - interruptedAt > 1000) process.exit(130);
        interruptedAt ??= performance.now();
        resolve();
      });
    }
  });
  return {
    out(chunk) {
      process.stdout.write(chunk);
    },
    err(chunk) {
      process.stderr.write(chunk);
    },
    readInput: () => buffer(process.stdin),
    interrupted,
    isTerminal: process.stdout.isTTY,
  };
}
