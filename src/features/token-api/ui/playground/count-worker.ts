import type { PdfResult } from '../../pdf/pdf-result.ts';
import { countRequestText, listModelsWithSystemTurns, type RequestCounts } from './count-request-text.ts';

// Other modules import only types from this file: it starts to listen as soon as it is loaded.

/** Message to the worker. `id` increases, so that results of older texts can be recognized. */
export interface CountRequestMessage {
  id: number;
  text: string;
  /** Models beside the one in the request. */
  otherModels: readonly string[];
  /** Names and data of files that the worker does not have yet. */
  newFiles: readonly (readonly [name: string, data: string])[];
}

/** Message from the worker. */
export type CountResultMessage =
  | { kind: 'ready'; modelsWithSystemTurns: string[] }
  | { kind: 'counts'; id: number; counts: RequestCounts };

const files = new Map<string, string>();
/** Read PDFs by their data, so that a PDF is not read again at each change of the text. */
const pdfs = new Map<string, Promise<PdfResult>>();
/** Delay in ms after the first count. */
const PRELOAD_DELAY_MS = 1_000;
let isPreloadScheduled = false;
let newestId = 0;
let lastRun: Promise<unknown> = Promise.resolve();

/** Counts in a worker with the counter of the service, one text after another. Skips outdated texts. */
addEventListener('message', ({ data }: MessageEvent<CountRequestMessage>) => {
  newestId = data.id;
  for (const [name, file] of data.newFiles) files.set(name, file);
  // An error of the counter reaches the page, which offers a retry.
  lastRun = lastRun.then(() => (data.id === newestId ? count(data) : undefined)).catch(reportError);
});

async function count({ id, text, otherModels }: CountRequestMessage): Promise<void> {
  const counts = await countRequestText(text, files, otherModels, readPdf);
  postMessage({ kind: 'counts', id, counts } satisfies CountResultMessage);
  if (!isPreloadScheduled) setTimeout(preloadPdfReader, PRELOAD_DELAY_MS);
  isPreloadScheduled = true;
}

/** Loads the reader of PDFs in advance, so that it works offline. */
function preloadPdfReader(): void {
  import('./read-pdf-data.ts').then(({ preload }) => preload()).catch(() => undefined);
}

function readPdf(data: string): Promise<PdfResult> {
  let reading = pdfs.get(data);
  if (!reading) {
    reading = loadAndReadPdf(data);
    pdfs.set(data, reading);
  }
  return reading;
}

async function loadAndReadPdf(data: string): Promise<PdfResult> {
  const { readPdfData } = await import('./read-pdf-data.ts');
  return readPdfData(data);
}

postMessage({ kind: 'ready', modelsWithSystemTurns: listModelsWithSystemTurns() } satisfies CountResultMessage);
