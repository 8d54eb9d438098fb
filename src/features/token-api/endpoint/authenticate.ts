import type { Socket } from 'node:net';
import { hashApiKey, looksLikeApiKey } from '../api-key.ts';
import type { KeyCache } from '../key-cache.ts';
import type { KeyHolder } from '../queries.ts';
import { type Call, type Refusal, refuse } from './answer.ts';

const BEARER = /^bearer +(\S+)$/i;

/**
 * Whose key a request carries: `x-api-key`, else `Authorization: Bearer`. The answer names their organisation. Refuses
 * with 401, or with 529 where keys cannot be looked up.
 */
export async function authenticate(
  { request: { headers, socket }, headers: answered }: Call,
  keys: KeyCache,
): Promise<{ ok: true; holder: KeyHolder } | Refusal> {
  const given = headers['x-api-key'];
  const isBearer = given === undefined;
  if (isBearer && headers.authorization === undefined) return unauthenticated('x-api-key header is required');
  const key = isBearer ? BEARER.exec(headers.authorization ?? '')?.[1] : given;
  const hash = typeof key === 'string' ? hashOn(socket, key) : undefined;
  let holder: KeyHolder | null = null;
  try {
    if (hash !== undefined) holder = await keys.find(hash);
  } catch (cause) {
    const refusal = refuse(529, 'API keys cannot be checked right now; try again in a moment.', 'retry-after', '1');
    return { ...refusal, cause };
  }
  if (!holder) return unauthenticated(isBearer ? 'Invalid bearer token' : 'invalid x-api-key');
  answered.push('anthropic-organization-id', holder.organisation_id);
  return { ok: true, holder };
}

const unauthenticated = (message: string): Refusal => refuse(401, message, 'www-authenticate', 'Bearer');

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
