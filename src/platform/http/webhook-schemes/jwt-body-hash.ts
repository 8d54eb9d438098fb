import { createHash } from 'node:crypto';
import { compactVerify, type CryptoKey, decodeProtectedHeader, importJWK, type JWK } from 'jose';
import { createRateLimiter } from '../rate-limit.ts';
import { hasSignature } from '../same-secret.ts';
import type { WebhookScheme } from '../signed-webhook.ts';

/** A sender's public key; past `expired_at` (seconds since 1970) it proves nothing more. */
export type SigningKey = JWK & { expired_at?: number | null };

export interface JwtBodyHashOptions {
  /** The header with the compact JWT. */
  header: string;
  /** Fetches a key by its id; `undefined` where the sender knows none. Throws where the sender cannot be reached. */
  keyOf(kid: string): Promise<SigningKey | undefined>;
  /** Key requests allowed in a minute (default 10), since forged ids cost their author nothing. */
  keysPerMinute?: number;
  /** A monotonic clock in milliseconds, for tests. */
  clock?: () => number;
}

/** Milliseconds that a key is cached, so that a withdrawn one is noticed. */
const KEEP_MS = 3_600_000;
const MOST_KEYS = 100;
const KID = /^[A-Za-z0-9_-]{1,128}$/;
const HASH = /^[0-9a-f]{64}$/;

interface KnownKey {
  key: CryptoKey | Uint8Array | undefined;
  expiredAt: number | null;
  until: number;
}

/**
 * A JWT, ES256 alone, with `iat` and the SHA-256 of the raw body. Keys are fetched by id, single-flight, and cached for
 * an hour. A digest of what the JWT signs is the delivery's id, since its signature has a second spelling.
 */
export function jwtBodyHash(options: JwtBodyHashOptions): WebhookScheme {
  const { header, clock = () => performance.now() } = options;
  const keys = createKeyCache(options, clock);
  return async ({ headers, body }, now) => {
    const token = headers[header];
    if (typeof token !== 'string' || token.length > 8_192) return { ok: false, reason: 'headers' };
    const kid = kidOf(token);
    if (kid === undefined) return { ok: false, reason: 'headers' };
    const found = await keys(kid).catch(() => 'unavailable' as const);
    if (found === 'unavailable') return { ok: false, reason: 'unavailable' };
    if (!found.key || (found.expiredAt !== null && found.expiredAt <= now)) return { ok: false, reason: 'signature' };
    const claims = await claimsOf(token, found.key);
    if (!claims) return { ok: false, reason: 'signature' };
    const hash = createHash('sha256').update(body).digest();
    if (!hasSignature([Buffer.from(claims.bodyHash, 'hex')], [hash])) return { ok: false, reason: 'signature' };
    const id = createHash('sha256')
      .update(token.slice(0, token.lastIndexOf('.')))
      .digest('hex');
    return { ok: true, id, signedAt: claims.iat };
  };
}

function createKeyCache({ keyOf, keysPerMinute = 10 }: JwtBodyHashOptions, clock: () => number) {
  const known = new Map<string, KnownKey>();
  const inFlight = new Map<string, Promise<KnownKey>>();
  const fetches = createRateLimiter({ limit: keysPerMinute, now: clock });
  const fetchKey = async (kid: string): Promise<KnownKey> => {
    const jwk = await keyOf(kid);
    const isFit = jwk?.kty === 'EC' && jwk.crv === 'P-256' && jwk.d === undefined;
    const key = isFit ? await importJWK({ ...jwk, alg: 'ES256' }) : undefined;
    const entry = { key, expiredAt: jwk?.expired_at ?? null, until: clock() + KEEP_MS };
    // An unknown id is not cached: it may be a new key tomorrow, and forged ones are unlimited.
    if (jwk) known.set(kid, entry);
    if (known.size > MOST_KEYS) known.delete(known.keys().next().value!);
    return entry;
  };
  return async (kid: string): Promise<KnownKey | 'unavailable'> => {
    const entry = known.get(kid);
    if (entry && entry.until > clock()) return entry;
    const joined = inFlight.get(kid);
    if (joined) return joined;
    if (!fetches.take('').ok) return 'unavailable';
    const answer = fetchKey(kid).finally(() => inFlight.delete(kid));
    inFlight.set(kid, answer);
    return answer;
  };
}

function kidOf(token: string): string | undefined {
  try {
    const { alg, kid } = decodeProtectedHeader(token);
    return alg === 'ES256' && typeof kid === 'string' && KID.test(kid) ? kid : undefined;
  } catch {
    return undefined;
  }
}

async function claimsOf(
  token: string,
  key: CryptoKey | Uint8Array,
): Promise<{ iat: number; bodyHash: string } | undefined> {
  try {
    const { payload } = await compactVerify(token, key, { algorithms: ['ES256'] });
    const claims = JSON.parse(Buffer.from(payload).toString('utf8')) as Readonly<Record<string, unknown>>;
    const { iat, request_body_sha256: bodyHash } = claims;
    const isComplete = Number.isInteger(iat) && typeof bodyHash === 'string' && HASH.test(bodyHash);
    return isComplete ? { iat: iat as number, bodyHash } : undefined;
  } catch {
    return undefined;
  }
}
