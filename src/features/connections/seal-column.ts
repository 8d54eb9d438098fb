import type { AttemptRow } from './attempt-queries.ts';
import type { KeyRing, SealedPlace } from './key-ring.ts';
import type { StoredConnection } from './queries.ts';
import type { SealedColumn } from './sealed-queries.ts';

/** A row of a sealed column; `idpId` is null in tables that name no member. */
interface SealedCell {
  column: SealedColumn;
  idpId: string | null;
  row: string;
}

const placeOf = ({ column, idpId, row }: SealedCell): SealedPlace => {
  const [table = '', field = ''] = column.split('.');
  return { table, idpId, row, field };
};

export const sealFor = (ring: KeyRing, cell: SealedCell, text: string): Buffer => ring.seal(text, placeOf(cell));

/** Throws `CannotOpen`. */
export const openFrom = (ring: KeyRing, cell: SealedCell, sealed: Buffer): string => ring.open(sealed, placeOf(cell));

/** What reads a connection at its aggregator. Throws `CannotOpen`. */
export const openAccess = (ring: KeyRing, { idp_id: idpId, id: row, sealed }: StoredConnection): string =>
  openFrom(ring, { column: 'connection_secrets.sealed', idpId, row }, sealed);

/** What the aggregator calls an attempt. Throws `CannotOpen`. */
export const openReference = (
  ring: KeyRing,
  { idp_id: idpId, id: row, sealed_reference: sealed }: AttemptRow,
): string => openFrom(ring, { column: 'connection_attempts.sealed_reference', idpId, row }, sealed);
