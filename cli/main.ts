import { buffer } from 'node:stream/consumers';
import { type Command, exitCode, type Io, type ProgramIo } from '../src/command-line.ts';
import { WrongSetting } from '../src/config/load-config.ts';
import { Failure } from '../src/errors.ts';
import { programVersion } from '../src/main.ts';
import { commands } from './commands.ts';

/** Runs `tally <command> …` and returns the exit code; what goes wrong is one sentence on standard error. */
export async function runProgram(argv: readonly string[], io: ProgramIo): Promise<number> {
  const [name, ...rest] = argv;
  if (name === '--version' || name === '-v' || name === 'version') {
    io.out(`${programVersion()}\n`);
    return exitCode.done;
  }
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    io.out(overview());
    return name === undefined ? exitCode.usage : exitCode.done;
  }
  const command = commands.find((candidate) => candidate.name === name);
  if (!command) {
    io.err(`tally: there is no command "${name}"; see tally --help.\n`);
    return exitCode.usage;
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    io.out(`${command.help.trimEnd()}\n`);
    return exitCode.done;
  }
  try {
    const code = await command.run(rest, io);
    if (code === exitCode.usage) nameUnknownOptions(command, rest, io);
    return code;
  } catch (error) {
    return explain(command, error, io);
  }
}

/** The help of a command names each option that any of its verbs takes. */
function nameUnknownOptions({ name, help }: Command<ProgramIo>, argv: readonly string[], io: Io): void {
  const end = argv.indexOf('--');
  const given = argv.slice(0, end < 0 ? undefined : end).map((word) => word.replace(/=.*/s, ''));
  const known = new Set(help.match(/--?[a-z][\w-]*/g));
  const unknown = given.find((word) => /^--?[a-z]/i.test(word) && !known.has(word));
  if (unknown) io.err(`tally ${name}: there is no option ${unknown}.\n`);
}

function overview(): string {
  const width = Math.max(...commands.map((command) => command.name.length));
  const lines = commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`);
  return (
    `tally <command> [options]\n\n${lines.join('\n')}\n\nEvery command has --help, tally --version. ` +
    `Exit codes: 0 done, 1 refused, 2 usage, 3 try again later.\n`
  );
}

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  '57P03',
  '53300',
  '08001',
  '08006',
]);

/** Writes why a command failed, in one sentence, and returns its exit code. */
export function explain(command: Pick<Command<ProgramIo>, 'name'>, thrown: unknown, io: Pick<Io, 'err'>): number {
  const isUnavailable = thrown instanceof Failure && thrown.code === 'UNAVAILABLE';
  // Only the database's failures have a cause, its own word; others say themselves what is away.
  if (isUnavailable && thrown.cause === undefined) {
    io.err(`tally ${command.name}: ${thrown.message}\n`);
    return exitCode.retryLater;
  }
  const error = isUnavailable ? thrown.cause : thrown;
  const { message, code } = error as Error & { code?: string };
  if (error instanceof WrongSetting) {
    io.err(`tally ${command.name}: ${message}\n`);
    return exitCode.usage;
  }
  const sentence = message || String(code ?? error);
  if (isUnavailable || (code !== undefined && UNREACHABLE.has(code))) {
    io.err(`tally ${command.name}: The database cannot be reached (${sentence}); try again later, or check DB_URL.\n`);
    return exitCode.retryLater;
  }
  io.err(`tally ${command.name}: ${sentence}\n`);
  return exitCode.refused;
}

/** A reader that has gone (`| head -1`) is no fault of the command; output that is lost otherwise is. */
function outliveReaders(): void {
  process.stderr.on('error', () => {});
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return;
    process.stderr.write(`tally: Standard output cannot be written (${code}).\n`);
    process.once('exit', () => (process.exitCode = exitCode.refused));
  });
}

/** The process as `ProgramIo`. A second interrupt, a second or more later, ends the program at once. */
export function processIo(): ProgramIo {
  outliveReaders();
  const interrupted = new Promise<void>((resolve) => {
    let askedAt: number | undefined;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        // npm passes a Ctrl-C on that the terminal has sent already: one interrupt, delivered twice.
        if (askedAt !== undefined && performance.now() - askedAt > 1000) process.exit(130);
        askedAt ??= performance.now();
        resolve();
      });
    }
  });
  return {
    out: (chunk) => void process.stdout.write(chunk),
    err: (chunk) => void process.stderr.write(chunk),
    readInput: () => buffer(process.stdin),
    interrupted,
    isTerminal: process.stdout.isTTY,
  };
}
