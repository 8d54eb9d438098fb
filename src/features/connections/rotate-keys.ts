import type { ConnectionContext } from './context.ts';
import { CannotOpen } from './key-ring.ts';
import { openFrom, sealFor } from './seal-column.ts';
import { listSealed, replaceSealed, sealedColumns } from './sealed-queries.ts';

const AT_ONCE = 200;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** `unopened`: rows that no key of the ring opens. */
export interface Rotation {
  sealed: number;
  unopened: number;
}

/**
 * Seals with the current key what another one sealed, beside a running service. Safe to repeat: what is left, or was
 * written by a process that does not know the new key yet, is taken the next time.
 */
export async function rotateKeys(ctx: Pick<ConnectionContext, 'sql' | 'ring' | 'logger'>): Promise<Rotation> {
  const { sql, ring, logger } = ctx;
  const rotation = { sealed: 0, unopened: 0 };
  for (const column of sealedColumns) {
    for (let after = FIRST; ;) {
      const rows = await listSealed(sql, column, after, AT_ONCE);
      for (const stored of rows) {
        if (ring.isCurrent(stored.sealed)) continue;
        const cell = { column, idpId: stored.idp_id, row: stored.row };
        try {
          const text = openFrom(ring, cell, stored.sealed);
          if (await replaceSealed(sql, column, stored, sealFor(ring, cell, text))) rotation.sealed += 1;
        } catch (error) {
          if (!(error instanceof CannotOpen)) throw error;
          logger.error({ column, row: stored.row }, 'no key opens this row');
          rotation.unopened += 1;
        }
      }
      if (rows.length < AT_ONCE) break;
      after = rows.at(-1)!.row;
    }
  }
  return rotation;
}
