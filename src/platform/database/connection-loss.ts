import { AppError } from '../../errors.ts';

/** Codes of the operating system with which a connection fails or ends. */
const SYSTEM_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EPIPE',
  'EAI_AGAIN',
]);

/** SQLSTATEs with which the server refuses or ends a connection because it stops, starts or is not reachable. */
const SQLSTATES: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03', '08001', '08006']);

/** Messages of the driver for a connection that ended, or that a frozen server did not complete, without a code. */
const ENDED_CONNECTION = /^(Connection terminated|timeout expired$)/;

/** Returns whether an error of a database client is a lost or refused connection. */
export function isConnectionLoss(error: unknown): boolean {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
  return SYSTEM_CODES.has(code) || SQLSTATES.has(code) || ENDED_CONNECTION.test(message);
}

/**
 * Returns whether an error of any part was caused by a lost connection to the database. A code of the operating system
 * counts only within the error of our own pool, since other services have the same codes.
 */
export function isDatabaseOutage(error: unknown): boolean {
  if (error instanceof AppError)
    return error.code === 'UNAVAILABLE' && (isConnectionLoss(error.cause) || isLoginRejected(error.cause));
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
  return SQLSTATES.has(code) || ENDED_CONNECTION.test(message);
}

/** Returns whether the server rejects the login (SQLSTATE class 28), as after a change of its password. */
function isLoginRejected(error: unknown): boolean {
  const { code = '' } = (error ?? {}) as { code?: string };
  return code.startsWith('28');
}

/** Messages of Citus when it loses a worker within a transaction, and at its commit. */
const LOST_WORKER_MESSAGE =
  /^(failure on connection marked as essential|could not commit transaction for shard \d+ on at least one active node)/;

/**
 * Returns whether a statement failed because the coordinator of a cluster lost a worker. The connection to the
 * coordinator stays open. Within a transaction Citus reports the loss as an internal error (XX000).
 */
export function isLostWorkerError(error: unknown): boolean {
  const { code = '', message = '', severity } = (error ?? {}) as { code?: string; message?: string; severity?: string };
  return code === 'XX000' ? LOST_WORKER_MESSAGE.test(message) : severity === 'ERROR' && /^08(?!P01)/.test(code);
}
