import type { Connection } from '../../../features/connections/contract.ts';
import { formatMoment } from '../../kit/formats.ts';

/** Returns the required action for a connection, or null if the connection works. */
export function formatAttention({ institution, status }: Connection): string | null {
  switch (status) {
    case 'active':
      return null;
    case 'expiring':
      return `${institution} needs you to sign in again soon.`;
    case 'login_required':
      return `${institution} needs you to sign in again.`;
    case 'revoked':
      return `${institution} has revoked access.`;
  }
}

/** Returns the age of a connection's figures as text. */
export const formatSyncAge = ({ synced_at: syncedAt }: Connection): string =>
  syncedAt === null ? 'not synced yet' : `synced ${formatMoment(syncedAt)}`;
