import { createHash, generateKeyPair, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { CompactSign, importJWK, type JWK } from 'jose';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { findKey, storeKeyOnce, type EmbeddedKey } from './queries.ts';

export type Signer = ReturnType<typeof createSigner>;

/** Signs webhooks with the embedded provider's key, which the first use makes. */
export function createSigner(sql: ServiceSql) {
  let loading: Promise<EmbeddedKey> | undefined;
  const getKey = (): Promise<EmbeddedKey> => {
    loading ??= loadOrCreateKey(sql);
    loading.catch(() => (loading = undefined));
    return loading;
  };
  return {
    /** The JWT that proves a body, as `Plaid-Verification` carries it; `issuedAt` in seconds since 1970. */
    async sign(body: string, issuedAt: number): Promise<string> {
      const { kid, private_jwk: jwk } = await getKey();
      const claims = { iat: issuedAt, request_body_sha256: createHash('sha256').update(body).digest('hex') };
      return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
        .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
        .sign(await importJWK(jwk, 'ES256'));
    },
    /** The public key of an id, as the aggregator tells it. */
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
