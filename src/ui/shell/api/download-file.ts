import { sendToApi } from './api.ts';

type FileRoute =
  | 'GET /api/watchlist/export.csv'
  | 'GET /api/investments/holdings/export.csv'
  | 'GET /api/net-worth/export.csv';

/** Downloads a file of the member. Throws an error with a user-visible message on failure. */
export async function downloadFile(route: FileRoute): Promise<void> {
  const response = await sendToApi(route);
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'export.csv';
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
