import { AsyncLocalStorage } from 'node:async_hooks';

/** Timeout in ms for a request's statement without a response from the server. */
export const REQUEST_STATEMENT_TIMEOUT_MS = 15_000;

/**
 * Timeout in ms for jobs, commands and the first run. It is above the server's own limit of 60 s for slow statements.
 */
export const LONG_STATEMENT_TIMEOUT_MS = 90_000;

/** Timeout in ms for the owner's statements. A migration may build an index for a long time without a response. */
export const OWNER_IDLE_TIMEOUT_MS = 2 * 3_600_000;

const longWork = new AsyncLocalStorage<true>();

/**
 * Runs work whose statements have the timeout of jobs. No server may listen inside, since its requests would inherit
 * the timeout.
 */
export const withLongStatements = <T>(work: () => Promise<T>): Promise<T> => longWork.run(true, work);

/** Returns whether the current statement belongs to such work. */
export const isLongWork = (): boolean => longWork.getStore() === true;
