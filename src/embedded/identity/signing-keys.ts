import { type CryptoKey, errors, exportJWK, generateKeyPair, importJWK, type JWK, type JWTVerifyGetKey } from 'jose';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { newId } from './ids.ts';
import { insertKey, type KeyRow, listKeys, rotateOutCurrentKey } from './key-queries.ts';

/**
 * Interval in ms after which a process reloads the keys. Until then it signs with the old key, which stays published.
 */
const REFRESH_MS = 60_000;
/** Minimum time in ms between reads for unknown key ids, so that forged ids cause no load. */
const COOLDOWN_MS = 1_000;

export interface KeyRing {
  /** Returns the id of the oldest key, which identifies this provider in tokens and webhooks. */
  instanceId(): Promise<string>;
  /** Returns the signing key. */
  current(): Promise<{ kid: string; key: CryptoKey }>;
  /** Returns the public key that a token names. Throws `JWKSNoMatchingKey` if there is none. */
  verificationKey: JWTVerifyGetKey;
  jwks(): Promise<{ keys: JWK[] }>;
  /** Creates a new signing key and returns its id. The old key stays published. */
  rotate(): Promise<string>;
}

interface LoadedKeys {
  rows: KeyRow[];
  signing: { kid: string; key: CryptoKey };
  published: Map<string, CryptoKey>;
}

/** Manages the keys of session tokens and tickets, which are stored in the database and created at first use. */
export function createKeyRing(sql: ServiceSql): KeyRing {
  let loading: Promise<LoadedKeys> | undefined;
  let loadedAt = Number.NEGATIVE_INFINITY;
  let failedAt = Number.NEGATIVE_INFINITY;
  /** The keys of the latest read. They verify tokens during a later read, or if that read fails. */
  let published: LoadedKeys['published'] | undefined;

  const load = (olderThan: number): Promise<LoadedKeys> => {
    if (!loading || performance.now() - loadedAt > olderThan) {
      loadedAt = performance.now();
      loading = loadKeys(sql);
      loading.then(
        (fresh) => {
          published = fresh.published;
        },
        () => {
          loading = undefined;
          failedAt = performance.now();
        },
      );
    }
    return loading;
  };

  // A loaded key stays published, so the database is only read for unknown keys.
  const verificationKey: JWTVerifyGetKey = async ({ kid = '' }) => {
    const cached = published?.get(kid);
    if (cached) return cached;
    if (performance.now() - failedAt < COOLDOWN_MS)
      throw new Error('The signing keys are unavailable; a read failed within the last second.');
    const key = (await load(COOLDOWN_MS)).published.get(kid);
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key;
  };

  return {
    instanceId: async () => (await load(REFRESH_MS)).rows[0]!.kid,
    current: async () => (await load(REFRESH_MS)).signing,
    verificationKey,
    jwks: async () => ({ keys: (await load(COOLDOWN_MS)).rows.map((row) => row.public_jwk) }),
    async rotate() {
      const fresh = await generateKey();
      await sql.transaction(async (tx) => {
        await rotateOutCurrentKey(tx);
        await insertKey(tx, fresh);
      });
      loading = undefined;
      return fresh.kid;
    },
  };
}

async function loadKeys(sql: ServiceSql): Promise<LoadedKeys> {
  let rows = await listKeys(sql);
  if (!rows.some((row) => !row.retired)) {
    await insertKey(sql, await generateKey());
    rows = await listKeys(sql);
  }
  const signer = rows.find((row) => !row.retired);
  if (!signer) throw new Error('The embedded identity provider has no signing key.');
  const published = new Map<string, CryptoKey>();
  for (const row of rows) published.set(row.kid, (await importJWK(row.public_jwk, 'RS256')) as CryptoKey);
  return {
    rows,
    published,
    signing: { kid: signer.kid, key: (await importJWK(signer.private_jwk, 'RS256')) as CryptoKey },
  };
}

/** Returns a key of the hosted provider's type: RSA, 2048 bits, exponent 65537. */
async function generateKey(): Promise<Omit<KeyRow, 'retired'>> {
  const kid = newId('ins');
  const { publicKey, privateKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true });
  const keyAttributes = { kid, alg: 'RS256', use: 'sig' };
  return {
    kid,
    public_jwk: { ...(await exportJWK(publicKey)), ...keyAttributes },
    private_jwk: { ...(await exportJWK(privateKey)), ...keyAttributes },
  };
}
