import { addFile } from './request-files.ts';

/** A content block with a file. Its data is the name of the file in the text. */
export interface FileBlock {
  type: 'image' | 'document';
  source: { type: 'base64'; media_type: string; data: string };
}

type DroppedFile =
  | { kind: 'block'; block: FileBlock }
  | { kind: 'request'; text: string }
  | { kind: 'rejected'; message: string };

/** Maximum size in bytes of one file, the endpoint's limit of a request. */
const MAX_FILE_BYTES = 32_000_000;

/** Media types by the first bytes of a file. */
const SIGNATURES: readonly [mediaType: string, pattern: RegExp][] = [
  ['image/png', /^\x89PNG/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF.{4}WEBP/s],
  ['application/pdf', /^%PDF/],
];

/** Reads an image or a PDF into a block and adds its data to `files`, or reads a request from a JSON file. */
export async function readDroppedFile(file: File, files: Map<string, string>): Promise<DroppedFile> {
  if (file.size > MAX_FILE_BYTES) return { kind: 'rejected', message: `${file.name} is larger than 32 MB.` };
  if (file.type === 'application/json' || file.name.endsWith('.json'))
    return { kind: 'request', text: await file.text() };
  const start = String.fromCharCode(...new Uint8Array(await file.slice(0, 16).arrayBuffer()));
  const mediaType = SIGNATURES.find(([, pattern]) => pattern.test(start))?.[0];
  if (mediaType === undefined)
    return { kind: 'rejected', message: `${file.name} is no PNG, JPEG, GIF or WebP image and no PDF.` };
  const data = addFile(files, file.name, await readBase64(file));
  const type = mediaType === 'application/pdf' ? 'document' : 'image';
  return { kind: 'block', block: { type, source: { type: 'base64', media_type: mediaType, data } } };
}

function readBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      const dataUrl = reader.result as string;
      resolve(dataUrl.slice(dataUrl.indexOf(',') + 1));
    });
    reader.addEventListener('error', () => reject(new Error(`${file.name} cannot be read.`)));
    reader.readAsDataURL(file);
  });
}
