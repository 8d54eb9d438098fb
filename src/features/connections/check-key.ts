import type { ServiceSql } from '../../platform/database/roles.ts';
import { listCiphertexts } from './encrypted-queries.ts';
import { createKeyRing } from './key-ring.ts';

/**
 * Returns whether the keys belong to the stored credentials. At most ten ciphertexts of each encrypted column are read,
 * since a wrong key decrypts none. An empty database fits every key, and needs none.
 */
export async function canDecryptStoredSecrets(
  sql: ServiceSql,
  keys: { current: string; previous: string | undefined } | undefined,
): Promise<boolean> {
  const stored = await listCiphertexts(sql);
  if (stored.length === 0) return true;
  if (!keys) return false;
  const ring = createKeyRing(keys.current, keys.previous === undefined ? [] : [keys.previous]);
  return stored.some((ciphertext) => ring.hasKeyOf(ciphertext));
}
