import type { ConnectionContext } from './context.ts';
import { DecryptionError } from './key-ring.ts';
import { decryptFrom, encryptFor } from './encrypt-column.ts';
import { listEncryptedRows, replaceCiphertext, encryptedColumns } from './encrypted-queries.ts';

const BATCH_SIZE = 200;
const LOWEST_UUID = '00000000-0000-0000-0000-000000000000';

/** Result of a rotation. `undecryptable` counts the rows that no key of the ring decrypts. */
export interface Rotation {
  reencrypted: number;
  undecryptable: number;
}

/**
 * Encrypts with the current key everything that another key encrypted, while the service runs. Idempotent: rows that
 * remain, or that a process without the new key wrote, are processed by the next run.
 */
export async function rotateKeys(context: Pick<ConnectionContext, 'sql' | 'ring' | 'logger'>): Promise<Rotation> {
  const { sql, ring, logger } = context;
  const rotation = { reencrypted: 0, undecryptable: 0 };
  for (const column of encryptedColumns) {
    let lastRow: string | undefined = LOWEST_UUID;
    while (lastRow !== undefined) {
      const rows = await listEncryptedRows(sql, column, lastRow, BATCH_SIZE);
      for (const stored of rows) {
        if (ring.isCurrent(stored.sealed)) continue;
        const cell = { column, idpId: stored.idp_id, row: stored.row };
        try {
          const text = decryptFrom(ring, cell, stored.sealed);
          if (await replaceCiphertext(sql, column, stored, encryptFor(ring, cell, text))) rotation.reencrypted += 1;
        } catch (error) {
          if (!(error instanceof DecryptionError)) throw error;
          logger.error({ column, row: stored.row }, 'no key decrypts this row');
          rotation.undecryptable += 1;
        }
      }
      lastRow = rows.length < BATCH_SIZE ? undefined : rows.at(-1)!.row;
    }
  }
  return rotation;
}
