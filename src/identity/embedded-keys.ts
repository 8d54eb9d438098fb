import { createLocalJWKSet, errors, type JWK, type JWTVerifyGetKey } from 'jose';

/** The embedded provider's keys are read anew for an unknown id at most this often, so that forged ids cost nothing. */
const COOLDOWN_MS = 1_000;

/** Verification keys from the provider in this process, cached until a token names an unknown one. */
export function keysInProcess(jwks: () => Promise<{ keys: JWK[] }>): JWTVerifyGetKey {
  let known: JWTVerifyGetKey | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  const read = async (): Promise<JWTVerifyGetKey> => {
    readAt = performance.now();
    return (known = createLocalJWKSet(await jwks()) as JWTVerifyGetKey);
  };
  return async (header, token) => {
    try {
      return await (known ?? (await read()))(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || performance.now() - readAt < COOLDOWN_MS) throw error;
      return (await read())(header, token);
    }
  };
}
