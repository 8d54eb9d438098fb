import { sendToApi } from '../../../../ui/shell/api/api.ts';

/** Downloads the list as a CSV file. Throws an error with a user-visible message on failure. */
export async function exportList(): Promise<void> {
  const response = await sendToApi('GET /api/watchlist/export.csv');
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'watchlist.csv';
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
