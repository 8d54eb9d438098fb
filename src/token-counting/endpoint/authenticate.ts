import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { hashApiKey, looksLikeApiKey } from '../api-key.ts';
import type { KeyCache } from '../key-cache.ts';
import type { KeyHolder } from '../queries.ts';

export type Authentication = { ok: true; holder: KeyHolder } | { ok: false; message: string };

const BEARER = /^bearer +(\S+)$/i;

/** Whose key a request carries: `x-api-key`, else `Authorization: Bearer`. Rejects when keys cannot be looked up. */
export function authenticate(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  keys: KeyCache,
): Authentication | Promise<Authentication> {
  const given = headers['x-api-key'];
  const isBearer = given === undefined;
  const key = isBearer ? BEARER.exec(headers.authorization ?? '')?.[1] : given;
  if (isBearer && headers.authorization === undefined) return { ok: false, message: 'x-api-key header is required' };
  const refusal = isBearer ? INVALID_BEARER : INVALID_KEY;
  const hash = typeof key === 'string' ? hashOn(socket, key) : undefined;
  if (hash === undefined) return refusal;
  const found = keys.find(hash);
  if (found instanceof Promise) return found.then((holder) => (holder ? { ok: true, holder } : refusal));
  return found ? { ok: true, holder: found } : refusal;
}

/** The last good-looking key of each connection, for as long as that: a client sends the same one again and again. */
const lastKeys = new WeakMap<Socket, { key: string; hash: string }>();

function hashOn(socket: Socket, key: string): string | undefined {
  const last = lastKeys.get(socket);
  if (last?.key === key) return last.hash;
  if (!looksLikeApiKey(key)) return undefined;
  const hash = hashApiKey(key);
  lastKeys.set(socket, { key, hash });
  return hash;
}

const INVALID_KEY = { ok: false, message: 'invalid x-api-key' } as const;
const INVALID_BEARER = { ok: false, message: 'Invalid bearer token' } as const;
