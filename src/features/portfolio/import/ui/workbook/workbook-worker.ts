import { convertWorkbook } from './convert-workbook.ts';

/** Converts the workbook of a message, and answers with its tables. */
addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
  // An error of the library reaches the page.
  convertWorkbook(data).then((result) => postMessage(result), reportError);
});
