import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz';
const VALID_REQUEST_ID = /^[A-Za-z0-9._-]{8,128}$/;

/** Random bytes, drawn 4 KB at a time. One system call per request would cost more than the id itself. */
const pool = new Uint8Array(4096);
let usedBytes = pool.length;

/** Returns a new id: `req_` and 22 characters of about 120 bits. */
export function newRequestId(): string {
  if (usedBytes + 22 > pool.length) {
    randomFillSync(pool);
    usedBytes = 0;
  }
  let id = 'req_';
  for (let i = 0; i < 22; i += 1) id += ALPHABET[pool[usedBytes + i]! % ALPHABET.length];
  usedBytes += 22;
  return id;
}

/** Returns the caller's `x-request-id` if it is valid (8–128 of `A-Z a-z 0-9 . _ -`), otherwise `id` or a new one. */
export function toRequestId(header: string | string[] | undefined, id?: string): string {
  return typeof header === 'string' && VALID_REQUEST_ID.test(header) ? header : (id ?? newRequestId());
}

const requestIds = new AsyncLocalStorage<string>();

/** Runs the handling of a request, so that its log lines have its id. */
export const runWithRequestId = (id: string, work: () => void): void => requestIds.run(id, work);

/** Returns the id of the request that is being handled, or undefined outside of one. */
export const getRequestId = (): string | undefined => requestIds.getStore();
