import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../../ui/kit/api-error.ts';
import { closeToastsByTopic, showToast } from '../../../../ui/kit/toasts.ts';
import { callApi } from '../../../../ui/shell/api/api.ts';
import { showErrorToast } from '../../../../ui/shell/session/show-error-toast.ts';
import { rememberImport } from './last-import.ts';

/** Undoes the import with this id. Throws if the service refuses it. An import that cannot be undone is forgotten. */
export async function undoImport(id: string): Promise<void> {
  try {
    await callApi('POST /api/holdings/import/{id}/undo', { params: { id } });
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 409)) rememberImport(null);
    throw error;
  }
  rememberImport(null);
}

const IMPORT_TOPIC = 'holdings-import';

/** Closes the toast of an earlier import, whose undo the dialog offers itself. */
export const closeImportToast = (): void => closeToastsByTopic(IMPORT_TOPIC);

/** Shows what was imported with an undo, after the dialog has closed. */
export function showImportToast(queries: QueryClient, text: string, id: string): void {
  const undo = async (): Promise<void> => {
    try {
      await undoImport(id);
      showToast('The import was undone.', 'good');
    } catch (error) {
      showErrorToast('The import was not undone.', error as Error, () => {
        void undo();
      });
    }
    await queries.invalidateQueries();
  };
  const action = {
    label: 'Undo',
    run: () => {
      void undo();
    },
  };
  showToast(text, 'good', action, IMPORT_TOPIC);
}
