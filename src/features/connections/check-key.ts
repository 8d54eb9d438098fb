import type { ServiceSql } from '../../platform/database/roles.ts';
import { listCiphertexts } from './encrypted-queries.ts';
import { createKeyRing } from './key-ring.ts';

/**
 * Returns whether the keys belong to the stored credentials. One ciphertext of each table is read, since a wrong key
 * decrypts none. An empty database fits every key.
 */
export async function canDecryptStoredSecrets(
  sql: ServiceSql,
  { current, previous }: { current: string; previous: string | undefined },
): Promise<boolean> {
  const ring = createKeyRing(current, previous === undefined ? [] : [previous]);
  const stored = await listCiphertexts(sql);
  return stored.length === 0 || stored.some((ciphertext) => ring.hasKeyOf(ciphertext));
}
