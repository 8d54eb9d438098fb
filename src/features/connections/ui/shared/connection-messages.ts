import type { Connection } from '../../contract.ts';
import { formatDay } from '../../../../ui/kit/formats.ts';

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

/** Returns the age of a connection's figures at `now` (ms): `updated 5 min ago`. After a week it is the date. */
export function formatSyncAge({ synced_at: syncedAt }: Connection, now: number): string {
  if (syncedAt === null) return 'not updated yet';
  const minutes = Math.floor((now - Date.parse(syncedAt)) / 60_000);
  if (minutes < 1) return 'updated just now';
  if (minutes < 60) return `updated ${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `updated ${hours} h ago`;
  const days = Math.floor(hours / 24);
  return days < 7 ? `updated ${days} ${days === 1 ? 'day' : 'days'} ago` : `updated ${formatDay(syncedAt)}`;
}
