import type { AttemptRow } from './attempt-queries.ts';
import type { KeyRing, EncryptionContext } from './key-ring.ts';
import type { StoredConnection } from './queries.ts';
import type { EncryptedColumn } from './encrypted-queries.ts';

/** Row of an encrypted column. `idpId` is null in tables without a member. */
interface EncryptedCell {
  column: EncryptedColumn;
  idpId: string | null;
  row: string;
}

const toEncryptionContext = ({ column, idpId, row }: EncryptedCell): EncryptionContext => {
  const [table = '', field = ''] = column.split('.');
  return { table, idpId, row, field };
};

export const encryptFor = (ring: KeyRing, cell: EncryptedCell, text: string): Buffer =>
  ring.encrypt(text, toEncryptionContext(cell));

/** Throws `DecryptionError`. */
export const decryptFrom = (ring: KeyRing, cell: EncryptedCell, ciphertext: Buffer): string =>
  ring.decrypt(ciphertext, toEncryptionContext(cell));

/**
 * Returns the credential of a connection at its aggregator, or undefined if its key is lost. Throws `DecryptionError` if
 * the ciphertext was changed or moved.
 */
export const decryptCredential = (
  ring: KeyRing,
  { idp_id: idpId, id: row, sealed }: StoredConnection,
): string | undefined =>
  sealed && ring.hasKeyOf(sealed)
    ? decryptFrom(ring, { column: 'connection_secrets.sealed', idpId, row }, sealed)
    : undefined;

/** Returns the aggregator's reference of an attempt. Throws `DecryptionError`. */
export const decryptReference = (
  ring: KeyRing,
  { idp_id: idpId, id: row, sealed_reference: sealed }: AttemptRow,
): string => decryptFrom(ring, { column: 'connection_attempts.sealed_reference', idpId, row }, sealed);
