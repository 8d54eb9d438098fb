import { sendToApi } from '../../../ui/shell/api/api.ts';

/** Downloads the member's data as a JSON file. Throws an error with a user-visible message on failure. */
export async function downloadData(): Promise<void> {
  const response = await sendToApi('GET /api/me/export');
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'tally.json';
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
