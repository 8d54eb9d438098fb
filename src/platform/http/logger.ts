import { hostname } from 'node:os';
import pino, { type DestinationStream, type LevelWithSilent, type Logger } from 'pino';
import { isDatabaseOutage } from '../database/connection-loss.ts';
import { createPrettyLogStream } from './pretty-log-stream.ts';
import { getRequestId } from './request-id.ts';
import { readVersion } from './version.ts';

/** Fields of every line, which tell processes and versions apart. */
export const PROCESS_FIELDS = { pid: process.pid, host: hostname(), version: readVersion() };

const REDACTED_FIELDS = ['authorization', 'cookie', 'x-api-key', 'set-cookie', 'password', 'ticket', 'token', 'secret'];

/**
 * Creates a logger that writes structured lines to standard error, or readable lines on a terminal. Standard output is
 * reserved for `ready …` and the output of commands.
 */
export function createLogger(
  level: LevelWithSilent,
  destination: DestinationStream = getDefaultDestination(level),
): Logger {
  const logger = pino(
    {
      level,
      base: PROCESS_FIELDS,
      mixin: () => ({ reqId: getRequestId() }),
      hooks: { logMethod: logAtLevelOfOutage },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // A second safeguard: our code logs neither headers nor bodies.
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

/**
 * Logs at `debug` what fails because the database is unavailable, since `connectDatabase` reports that once. Other lines
 * keep their level.
 */
function logAtLevelOfOutage(this: Logger, args: Parameters<pino.LogFn>, method: pino.LogFn, level: number): void {
  const [fields] = args as unknown[];
  const isOutage = isDatabaseOutage((fields as { err?: unknown } | undefined)?.err);
  if (isOutage && level > pino.levels.values['debug']!) this.debug(...args);
  else method.apply(this, args);
}

const destinationByLogger = new WeakMap<Logger, DestinationStream>();

/** Returns the destination of a logger from `createLogger`, for lines that are formatted elsewhere. */
export const getDestination = (logger: Logger): DestinationStream | undefined => destinationByLogger.get(logger);

const NULL_DESTINATION: DestinationStream = { write: () => {} };
let processDestination: DestinationStream | undefined;

/**
 * Returns the shared destination of all loggers of the process, since each destination has a timer. A silent logger
 * needs none.
 */
function getDefaultDestination(level: LevelWithSilent): DestinationStream {
  if (level === 'silent') return NULL_DESTINATION;
  processDestination ??= createStandardErrorStream();
  return processDestination;
}

/**
 * Buffers up to 8 KB or one second, because a write per line costs a system call per request. On a terminal each line
 * is written immediately.
 */
const createStandardErrorStream = () =>
  process.stderr.isTTY
    ? createPrettyLogStream((text) => process.stderr.write(text))
    : tolerateWriteErrors(pino.destination({ dest: 2, minLength: 8192, maxLength: 8 << 20, ...ASYNC_OPTIONS }));

const ASYNC_OPTIONS = { sync: false, periodicFlush: 1000 } as const;
const WRITE_RETRY_MS = 1000;

/**
 * Handles write errors. A closed reader ends logging, and a full disk pauses it. Neither may end the service or prevent
 * its exit. Buffered lines are flushed before an exit, and again after each failure.
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

/**
 * Returns name, message, code, stack and cause of an error. Omits the detail of a database error, which contains row
 * values.
 */
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
