import { createHash, generateKeyPair, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { CompactSign, importJWK, type JWK } from 'jose';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { findKey, storeKeyOnce, type EmbeddedKey } from './queries.ts';

export type Signer = ReturnType<typeof createSigner>;

/** Creates a signer of webhooks. The first use creates the embedded provider's key. */
export function createSigner(sql: ServiceSql) {
  let loading: Promise<EmbeddedKey> | undefined;
  const getKey = (): Promise<EmbeddedKey> => {
    loading ??= loadOrCreateKey(sql);
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
  return {
    /**
     * Returns the JWT for the header `Plaid-Verification`, which contains a hash of the body. `issuedAt` is in seconds
     * since 1970.
     */
    async sign(body: string, issuedAt: number): Promise<string> {
      const { kid, private_jwk: jwk } = await getKey();
      const claims = { iat: issuedAt, request_body_sha256: createHash('sha256').update(body).digest('hex') };
      return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
        .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
        .sign(await importJWK(jwk, 'ES256'));
    },
    /** Returns the public key of an id in the aggregator's format. */
    async publicKey(kid: string): Promise<JWK | undefined> {
      const storedKey = await getKey();
      return storedKey.kid === kid ? { ...storedKey.public_jwk, kid, alg: 'ES256', use: 'sig' } : undefined;
    },
  };
}

async function loadOrCreateKey(sql: ServiceSql): Promise<EmbeddedKey> {
  const existing = await findKey(sql);
  if (existing) return existing;
  const pair = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  return storeKeyOnce(sql, {
    kid: randomUUID(),
    public_jwk: pair.publicKey.export({ format: 'jwk' }),
    private_jwk: pair.privateKey.export({ format: 'jwk' }),
  });
}
