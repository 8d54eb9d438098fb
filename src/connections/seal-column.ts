import type { KeyRing, SealedPlace } from './key-ring.ts';
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
