import pino, { type DestinationStream, type LevelWithSilent, type Logger } from 'pino';
import { createPrettyLogStream } from './pretty-log-stream.ts';

const REDACTED_FIELDS = ['authorization', 'cookie', 'x-api-key', 'set-cookie', 'password', 'ticket', 'token', 'secret'];

/**
 * Structured lines on standard error, on a terminal lines for people; standard output stays free for `ready …` and for
 * what commands print.
 */
export function createLogger(
  level: LevelWithSilent,
  destination: DestinationStream = getDefaultDestination(level),
): Logger {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // A second line of defence: nothing of ours logs headers or bodies in the first place.
      redact: {
        paths: REDACTED_FIELDS.map((name) => `*["${name}"]`),
        censor: '[redacted]',
      },
      serializers: { err: describeError },
    },
    destination,
  );
  destinationByLogger.set(logger, destination);
  return logger;
}

const destinationByLogger = new WeakMap<Logger, DestinationStream>();

/** Where a logger that `createLogger` made writes its lines, for a line that is formatted elsewhere. */
export const getDestination = (logger: Logger): DestinationStream | undefined => destinationByLogger.get(logger);

const NULL_DESTINATION: DestinationStream = { write: () => {} };
let processDestination: DestinationStream | undefined;

/** One for all loggers of the process, since each has a timer; a logger that says nothing needs none. */
const getDefaultDestination = (level: LevelWithSilent): DestinationStream =>
  level === 'silent' ? NULL_DESTINATION : (processDestination ??= createStandardErrorStream());

/**
 * Writing each line at once costs a system call a request; 8 KB or one second go out together, on a terminal each line.
 */
const createStandardErrorStream = () =>
  process.stderr.isTTY
    ? createPrettyLogStream((text) => process.stderr.write(text))
    : tolerateWriteErrors(pino.destination({ dest: 2, minLength: 8192, maxLength: 8 << 20, ...ASYNC_OPTIONS }));

const ASYNC_OPTIONS = { sync: false, periodicFlush: 1000 } as const;
const WRITE_RETRY_MS = 1000;

/**
 * A reader that has gone ends the writing of lines, a full disk pauses it: neither may end the service, nor keep it
 * from ending (what is still buffered is flushed before an exit, and again as long as that fails).
 */
function tolerateWriteErrors(file: ReturnType<typeof pino.destination>) {
  const flush = file.flush.bind(file);
  let failedAt = -Infinity;
  file.on('error', ({ code }: NodeJS.ErrnoException) => {
    const isClosed = code === 'EPIPE' || code === 'EIO';
    failedAt = isClosed ? Infinity : performance.now();
    if (isClosed) file.write = () => true;
  });
  file.flush = (done) => (performance.now() - failedAt < WRITE_RETRY_MS ? done?.() : flush(done));
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
