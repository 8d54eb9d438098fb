import { formatExact } from '../../../../ui/kit/formats.ts';

/**
 * Files of a request. The text of the editor holds a short name in place of each long base64 string, so that it stays
 * readable and fast.
 */
export type RequestFiles = ReadonlyMap<string, string>;

/** Minimum length of the base64 data that is replaced by a name. */
const MIN_FILE_LENGTH = 2_000;
const LONG_DATA = new RegExp(`("data"\\s*:\\s*)"([A-Za-z0-9+/]{${MIN_FILE_LENGTH},}={0,2})"`, 'g');
const NAMED_DATA = /("data"\s*:\s*)("\[[^"]+\]")/g;

/** A name is no base64, because of its brackets. So it never equals the data of a file. */
const FILE_NAME = /^\[[^\]]+, [\d.,]+ [kM]?B\]$/;

/** Returns whether a string of a request is the name of a file. */
export const isFileName = (text: unknown): text is string => typeof text === 'string' && FILE_NAME.test(text);

/** Returns the name without brackets and size: `[photo.png, 12 kB]` → `photo.png`. */
export const getShortName = (fileName: string): string => fileName.slice(1, fileName.lastIndexOf(', '));

/** Adds base64 data under an unused name and returns the name. Equal data keeps its first name. */
export function addFile(files: Map<string, string>, name: string, data: string): string {
  for (const [fileName, existing] of files) if (existing === data) return fileName;
  const size = formatBytes(Math.floor((data.length * 3) / 4));
  const safeName = name.replaceAll(/[\][",\\\p{Cc}]/gu, '_');
  let fileName = `[${safeName}, ${size}]`;
  for (let number = 2; files.has(fileName); number++) fileName = `[${safeName} ${number}, ${size}]`;
  files.set(fileName, data);
  return fileName;
}

/** Returns the text with a name in place of the long base64 data of each `data` field. The data is added to `files`. */
export function extractFiles(text: string, files: Map<string, string>): string {
  return text.replace(
    LONG_DATA,
    (_match, key: string, data: string) => `${key}${JSON.stringify(addFile(files, 'pasted file', data))}`,
  );
}

/** Returns the text with the data in place of the names. Names without data stay. */
export function insertFiles(text: string, files: RequestFiles): string {
  return text.replace(NAMED_DATA, (match, key: string, name: string) => {
    const data = files.get(name.slice(1, -1));
    return data === undefined ? match : `${key}"${data}"`;
  });
}

/** Returns a JSON value with the data in place of the names, or the same value without files. Names without data stay. */
export function insertFilesInto<Value>(value: Value, files: RequestFiles): Value {
  if (files.size === 0) return value;
  const reviver = (key: string, member: unknown): unknown =>
    key === 'data' && typeof member === 'string' ? (files.get(member) ?? member) : member;
  return JSON.parse(JSON.stringify(value), reviver) as Value;
}

/** Returns the files whose name is in the text. */
export function listUsedFiles(text: string, files: RequestFiles): [string, string][] {
  return [...files].filter(([fileName]) => text.includes(JSON.stringify(fileName)));
}

function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${formatExact(Math.round(bytes / 100_000) / 10)} MB`;
}
