import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { newId } from './ids.ts';
import { isId } from './read-body.ts';

/** A code of a link, `<id>.<secret>`, and what is stored of it. */
interface SecretCode {
  id: string;
  code: string;
  /** SHA-256 of the secret. */
  hash: Buffer;
}

const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Creates a code with a random secret of 32 bytes. */
export function createSecretCode(prefix: Parameters<typeof newId>[0]): SecretCode {
  const id = newId(prefix);
  const secret = randomBytes(32).toString('base64url');
  return { id, code: `${id}.${secret}`, hash: hashSecret(secret) };
}

/** Returns the id and a comparison with the stored hash, or undefined if the text is no code. */
export function readSecretCode(code: string): { id: string; matches(hash: Buffer): boolean } | undefined {
  const [id = '', secret = ''] = code.split('.');
  return isId(id) ? { id, matches: (hash) => timingSafeEqual(hashSecret(secret), hash) } : undefined;
}
