import { downloadBlob } from './download-text.ts';
import { sendToApi } from '../../../ui/shell/api/api.ts';

/** Downloads the member's data as a JSON file. Throws an error with a user-visible message on failure. */
export async function downloadData(): Promise<void> {
  const response = await sendToApi('GET /api/me/export');
  const fileName = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'tally.json';
  downloadBlob(fileName, await response.blob());
}
