import { AsyncLocalStorage } from 'node:async_hooks';

/** Milliseconds after which a request's statement that the server leaves unanswered is given up. */
export const REQUEST_STATEMENT_TIMEOUT_MS = 15_000;

/** The same for jobs, commands and the first run; past the server's own limit of 60 s for what is merely slow. */
export const LONG_STATEMENT_TIMEOUT_MS = 90_000;

/** The same for the owner's statements: a migration may build an index for a long time before it says a word. */
export const OWNER_IDLE_TIMEOUT_MS = 2 * 3_600_000;

const longWork = new AsyncLocalStorage<true>();

/** Runs work whose statements have the limit of jobs. No server may listen inside: its requests would inherit it. */
export const withLongStatements = <T>(work: () => Promise<T>): Promise<T> => longWork.run(true, work);

/** Whether the statement that is being sent belongs to such work. */
export const isLongWork = (): boolean => longWork.getStore() === true;
