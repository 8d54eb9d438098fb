import type { Socket } from 'node:net';
import { hashApiKey, isApiKeyFormat } from '../api-key.ts';
import type { KeyCache } from '../key-cache.ts';
import type { KeyHolder } from '../queries.ts';
import { type ApiCall, type ApiErrorResult, apiError } from './api-result.ts';

const BEARER = /^bearer +(\S+)$/i;

/**
 * Returns the owner of the key in `x-api-key`, or else in `Authorization: Bearer`. Adds the organization to the
 * response headers. Returns 401 for an invalid key and 529 if keys cannot be looked up.
 */
export async function authenticate(
  { request: { headers, socket }, headers: responseHeaders }: ApiCall,
  keys: KeyCache,
): Promise<{ ok: true; holder: KeyHolder } | ApiErrorResult> {
  const apiKeyHeader = headers['x-api-key'];
  const isBearer = apiKeyHeader === undefined;
  if (isBearer && headers.authorization === undefined) return authenticationError('x-api-key header is required');
  const key = isBearer ? BEARER.exec(headers.authorization ?? '')?.[1] : apiKeyHeader;
  const hash = typeof key === 'string' ? hashForConnection(socket, key) : undefined;
  let holder: KeyHolder | null = null;
  try {
    if (hash !== undefined) holder = await keys.find(hash);
  } catch (cause) {
    const error = apiError(529, 'API keys cannot be checked right now; try again in a moment.', 'retry-after', '1');
    return { ...error, cause };
  }
  if (!holder) return authenticationError(isBearer ? 'Invalid bearer token' : 'invalid x-api-key');
  responseHeaders.push('anthropic-organization-id', holder.organisation_id);
  return { ok: true, holder };
}

const authenticationError = (message: string): ApiErrorResult => apiError(401, message, 'www-authenticate', 'Bearer');

/** The last well-formed key of each connection with its hash. A client usually sends one key on a connection. */
const lastKeyBySocket = new WeakMap<Socket, { key: string; hash: string }>();

function hashForConnection(socket: Socket, key: string): string | undefined {
  const last = lastKeyBySocket.get(socket);
  if (last?.key === key) return last.hash;
  if (!isApiKeyFormat(key)) return undefined;
  const hash = hashApiKey(key);
  lastKeyBySocket.set(socket, { key, hash });
  return hash;
}
