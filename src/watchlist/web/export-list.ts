import { ApiError } from '../../web/lib/call-api.ts';
import { session } from '../../web/lib/session.ts';

/** Downloads the list as a CSV file. Throws with a sentence where it cannot be had. */
export async function exportList(): Promise<void> {
  const response = await fetch('/api/watchlist/export.csv', { headers: { authorization: `Bearer ${await session.token()}` } }).catch(() => {
    throw new ApiError(0, 'OFFLINE', 'Tally cannot be reached. Check your connection and try again.');
  });
  if (!response.ok) throw new ApiError(response.status, 'INTERNAL', 'Something went wrong on our side. Try again.');
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'watchlist.csv';
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
