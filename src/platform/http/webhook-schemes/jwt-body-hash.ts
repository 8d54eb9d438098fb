import { createHash } from 'node:crypto';
import { compactVerify, type CryptoKey, decodeProtectedHeader, importJWK, type JWK } from 'jose';
import { createRateLimiter } from '../rate-limit.ts';
import { hasMatchingSignature } from '../timing-safe-equal.ts';
import type { WebhookScheme } from '../signed-webhook.ts';

/** A sender's public key, invalid after `expired_at` (seconds since 1970). */
export type SigningKey = JWK & { expired_at?: number | null };

export interface JwtBodyHashOptions {
  /** Header with the compact JWT. */
  header: string;
  /** Fetches a key by its id, or returns undefined for an unknown id. Throws if the sender is unavailable. */
  findKey(kid: string): Promise<SigningKey | undefined>;
  /** Maximum key requests per minute (default 10), since forged ids are free for an attacker. */
  maxKeyRequestsPerMinute?: number;
  /** A monotonic clock in ms, for tests. */
  clock?: () => number;
}

/** TTL of a key in ms, so that a revoked key is noticed. */
const KEY_TTL_MS = 3_600_000;
const MAX_CACHED_KEYS = 100;
const KID_PATTERN = /^[A-Za-z0-9_-]{1,128}$/;
const HASH_PATTERN = /^[0-9a-f]{64}$/;

interface CachedKey {
  key: CryptoKey | Uint8Array | undefined;
  expiredAt: number | null;
  cachedUntil: number;
}

/**
 * Creates a verifier of a JWT (ES256 only) with `iat` and the SHA-256 of the raw body. Concurrent requests for one key
 * share a fetch, and keys are cached for an hour. The delivery's id is a digest of the JWT's signed part, because the
 * same signature can be encoded in two ways.
 */
export function createJwtBodyHashScheme(options: JwtBodyHashOptions): WebhookScheme {
  const { header, clock = () => performance.now() } = options;
  const keys = createKeyCache(options, clock);
  return async ({ headers, body }, now) => {
    const token = headers[header];
    if (typeof token !== 'string' || token.length > 8_192) return { ok: false, reason: 'headers' };
    const kid = parseKid(token);
    if (kid === undefined) return { ok: false, reason: 'headers' };
    const cachedKey = await keys(kid).catch(() => 'unavailable' as const);
    if (cachedKey === 'unavailable') return { ok: false, reason: 'unavailable' };
    if (!cachedKey.key || (cachedKey.expiredAt !== null && cachedKey.expiredAt <= now))
      return { ok: false, reason: 'signature' };
    const claims = await verifyClaims(token, cachedKey.key);
    if (!claims) return { ok: false, reason: 'signature' };
    const hash = createHash('sha256').update(body).digest();
    if (!hasMatchingSignature([Buffer.from(claims.bodyHash, 'hex')], [hash])) return { ok: false, reason: 'signature' };
    const id = createHash('sha256')
      .update(token.slice(0, token.lastIndexOf('.')))
      .digest('hex');
    return { ok: true, id, signedAt: claims.iat };
  };
}

function createKeyCache({ findKey, maxKeyRequestsPerMinute = 10 }: JwtBodyHashOptions, clock: () => number) {
  const cache = new Map<string, CachedKey>();
  const inFlight = new Map<string, Promise<CachedKey>>();
  const fetchLimiter = createRateLimiter({ limit: maxKeyRequestsPerMinute, now: clock });
  const fetchKey = async (kid: string): Promise<CachedKey> => {
    const jwk = await findKey(kid);
    const isSupported = jwk?.kty === 'EC' && jwk.crv === 'P-256' && jwk.d === undefined;
    const key = isSupported ? await importJWK({ ...jwk, alg: 'ES256' }) : undefined;
    const entry = { key, expiredAt: jwk?.expired_at ?? null, cachedUntil: clock() + KEY_TTL_MS };
    // Do not cache an unknown id, because it may become valid, and forged ids would fill the cache.
    if (jwk) cache.set(kid, entry);
    if (cache.size > MAX_CACHED_KEYS) cache.delete(cache.keys().next().value!);
    return entry;
  };
  return async (kid: string): Promise<CachedKey | 'unavailable'> => {
    const entry = cache.get(kid);
    if (entry && entry.cachedUntil > clock()) return entry;
    const pendingKey = inFlight.get(kid);
    if (pendingKey) return pendingKey;
    if (!fetchLimiter.consume('').ok) return 'unavailable';
    const fetchedKey = fetchKey(kid).finally(() => inFlight.delete(kid));
    inFlight.set(kid, fetchedKey);
    return fetchedKey;
  };
}

function parseKid(token: string): string | undefined {
  try {
    const { alg, kid } = decodeProtectedHeader(token);
    return alg === 'ES256' && typeof kid === 'string' && KID_PATTERN.test(kid) ? kid : undefined;
  } catch {
    return undefined;
  }
}

async function verifyClaims(
  token: string,
  key: CryptoKey | Uint8Array,
): Promise<{ iat: number; bodyHash: string } | undefined> {
  try {
    const { payload } = await compactVerify(token, key, { algorithms: ['ES256'] });
    const claims = JSON.parse(Buffer.from(payload).toString('utf8')) as Readonly<Record<string, unknown>>;
    const { iat, request_body_sha256: bodyHash } = claims;
    const isComplete = Number.isInteger(iat) && typeof bodyHash === 'string' && HASH_PATTERN.test(bodyHash);
    return isComplete ? { iat: iat as number, bodyHash } : undefined;
  } catch {
    return undefined;
  }
}
