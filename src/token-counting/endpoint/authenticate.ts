import type { IncomingHttpHeaders } from 'node:http';
import { hashApiKey, looksLikeApiKey } from '../api-key.ts';
import type { KeyCache } from '../key-cache.ts';
import type { KeyHolder } from '../queries.ts';

export type Authentication = { ok: true; holder: KeyHolder } | { ok: false; message: string };

const BEARER = /^bearer +(\S+)$/i;

/** Finds out whose key a request carries: `x-api-key`, which wins, or `Authorization: Bearer`. Rejects when keys cannot be looked up. */
export function authenticate(headers: IncomingHttpHeaders, keys: KeyCache): Authentication | Promise<Authentication> {
  const given = headers['x-api-key'];
  const isBearer = given === undefined;
  const key = isBearer ? BEARER.exec(headers.authorization ?? '')?.[1] : given;
  if (isBearer && headers.authorization === undefined) return { ok: false, message: 'x-api-key header is required' };
  const refusal = isBearer ? INVALID_BEARER : INVALID_KEY;
  if (typeof key !== 'string' || !looksLikeApiKey(key)) return refusal;
  const found = keys.find(hashApiKey(key));
  if (found instanceof Promise) return found.then((holder) => (holder ? { ok: true, holder } : refusal));
  return found ? { ok: true, holder: found } : refusal;
}

const INVALID_KEY = { ok: false, message: 'invalid x-api-key' } as const;
const INVALID_BEARER = { ok: false, message: 'Invalid bearer token' } as const;
