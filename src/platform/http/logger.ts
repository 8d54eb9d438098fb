import pino, { type DestinationStream, type LevelWithSilent, type Logger } from 'pino';
import { linesForPeople } from './lines-for-people.ts';

const SECRETS = ['authorization', 'cookie', 'x-api-key', 'set-cookie', 'password', 'ticket', 'token', 'secret'];

/**
 * Structured lines on standard error, on a terminal lines for people; standard output stays free for `ready …` and for
 * what commands print.
 */
export function createLogger(level: LevelWithSilent, destination: DestinationStream = usualDestination(level)): Logger {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // A second line of defence: nothing of ours logs headers or bodies in the first place.
      redact: {
        paths: SECRETS.map((name) => `*["${name}"]`),
        censor: '[redacted]',
      },
      serializers: { err: describeError },
    },
    destination,
  );
  destinations.set(logger, destination);
  return logger;
}

const destinations = new WeakMap<Logger, DestinationStream>();

/** Where a logger that `createLogger` made writes its lines, for a line that is formatted elsewhere. */
export const destinationOf = (logger: Logger): DestinationStream | undefined => destinations.get(logger);

const NOWHERE: DestinationStream = { write: () => {} };
let ofProcess: DestinationStream | undefined;

/** One for all loggers of the process, since each has a timer; a logger that says nothing needs none. */
const usualDestination = (level: LevelWithSilent): DestinationStream =>
  level === 'silent' ? NOWHERE : (ofProcess ??= standardError());

/**
 * Writing each line at once costs a system call a request; 8 KB or one second go out together, on a terminal each line.
 */
const standardError = () =>
  process.stderr.isTTY
    ? linesForPeople((text) => process.stderr.write(text))
    : outliveErrors(pino.destination({ dest: 2, minLength: 8192, maxLength: 8 << 20, ...ASYNC }));

const ASYNC = { sync: false, periodicFlush: 1000 } as const;
const RETRY_AFTER = 1000;

/**
 * A reader that has gone ends the writing of lines, a full disk pauses it: neither may end the service, nor keep it
 * from ending (what is still buffered is flushed before an exit, and again as long as that fails).
 */
function outliveErrors(file: ReturnType<typeof pino.destination>) {
  const flush = file.flush.bind(file);
  let failedAt = -Infinity;
  file.on('error', ({ code }: NodeJS.ErrnoException) => {
    const isGone = code === 'EPIPE' || code === 'EIO';
    failedAt = isGone ? Infinity : performance.now();
    if (isGone) file.write = () => true;
  });
  file.flush = (done) => (performance.now() - failedAt < RETRY_AFTER ? done?.() : flush(done));
  return file;
}

/** Name, message, code, stack and cause of an error, without a database error's detail, which holds row values. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' && { code }),
    stack: error.stack,
    ...(cause instanceof Error && { cause: describeError(cause) }),
  };
}
