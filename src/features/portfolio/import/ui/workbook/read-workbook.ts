import type { ReadFile } from '../file-tables.ts';
import type { ConvertedWorkbook, WorkbookProblem } from './convert-workbook.ts';

/** Maximum time in ms. A workbook of 10,000 rows takes less than a second. */
const READ_TIMEOUT_MS = 20_000;

const problemTexts: Readonly<Record<WorkbookProblem, string>> = {
  too_large: 'The Excel file is too large. Delete sheets and rows that you do not need, or save one sheet as CSV.',
  no_table: 'The Excel file has no table. Choose another file.',
  numbers: 'This is a Numbers file. Export it as Excel or CSV, and choose that file.',
  open_document: 'This is an OpenDocument file. Save it as .xlsx or CSV, and choose that file.',
  binary: 'This is a binary Excel file. Save it as .xlsx or CSV, and choose that file.',
  no_workbook: 'This is an archive. Unpack it, and choose the CSV or Excel file in it.',
  damaged: 'The Excel file could not be read. Save it as CSV, and choose that file.',
};

/**
 * Reads the tables of an Excel file in a worker, whose code loads for such a file only. The worker is stopped when it
 * takes too long, so that no file makes the page hang.
 */
export async function readWorkbook(buffer: ArrayBuffer): Promise<ReadFile> {
  const worker = new Worker(new URL('./workbook-worker.ts', import.meta.url), { type: 'module' });
  const { promise, resolve } = Promise.withResolvers<ReadFile>();
  worker.addEventListener('message', ({ data }: MessageEvent<ConvertedWorkbook>) =>
    resolve(data.ok ? data : { ok: false, message: problemTexts[data.reason] }),
  );
  worker.addEventListener('error', () =>
    resolve({ ok: false, message: 'The reader of Excel files did not load. Choose the file again.' }),
  );
  const timer = setTimeout(() => resolve({ ok: false, message: problemTexts.too_large }), READ_TIMEOUT_MS);
  worker.postMessage(buffer, [buffer]);
  const result = await promise;
  clearTimeout(timer);
  worker.terminate();
  return result;
}
