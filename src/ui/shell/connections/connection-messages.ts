import type { Connection } from '../../../features/connections/contract.ts';
import { formatMoment } from '../../kit/formats.ts';

/** Returns the required action for a connection, or null if the connection works. */
export function formatAttention({ institution, status }: Connection): string | null {
  switch (status) {
    case 'active':
      return null;
    case 'expiring':
      return `${institution} will ask for a new sign-in soon.`;
    case 'login_required':
      return `${institution} asks for a new sign-in.`;
    case 'revoked':
      return `${institution} has ended the access.`;
  }
}

/** Returns the age of a connection's figures as text. */
export const formatSyncAge = ({ synced_at: syncedAt }: Connection): string =>
  syncedAt === null ? 'not synchronised yet' : `synchronised ${formatMoment(syncedAt)}`;
