import type { AttemptRow } from './attempt-queries.ts';
import type { KeyRing, EncryptionContext } from './key-ring.ts';
import type { StoredConnection } from './queries.ts';
import type { EncryptedColumn } from './encrypted-queries.ts';

/** A row of a sealed column; `idpId` is null in tables that name no member. */
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

/** Throws `CannotOpen`. */
export const decryptFrom = (ring: KeyRing, cell: EncryptedCell, ciphertext: Buffer): string =>
  ring.decrypt(ciphertext, toEncryptionContext(cell));

/** What reads a connection at its aggregator. Throws `CannotOpen`. */
export const decryptCredential = (ring: KeyRing, { idp_id: idpId, id: row, sealed }: StoredConnection): string =>
  decryptFrom(ring, { column: 'connection_secrets.sealed', idpId, row }, sealed);

/** What the aggregator calls an attempt. Throws `CannotOpen`. */
export const decryptReference = (
  ring: KeyRing,
  { idp_id: idpId, id: row, sealed_reference: sealed }: AttemptRow,
): string => decryptFrom(ring, { column: 'connection_attempts.sealed_reference', idpId, row }, sealed);
