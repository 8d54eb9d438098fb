/** Stage 3: texts. Distinct words and symbol runs in every position. */
import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { addForms } from './forms.ts';
import type { Measurement } from './measurement.ts';
import { Batch } from './short-strings.ts';

/** Calls `visit` with every line of a file that may exceed the memory. */
function forEachLine(path: string, visit: (line: string) => void): void {
  const file = openSync(path, 'r');
  const decoder = new StringDecoder('utf8');
  const buffer = Buffer.alloc(1 << 20);
  let remainder = '';
  for (let size = readSync(file, buffer); size > 0; size = readSync(file, buffer)) {
    const lines = (remainder + decoder.write(buffer.subarray(0, size))).split('\n');
    remainder = lines.pop() ?? '';
    for (const line of lines) visit(line);
  }
  closeSync(file);
  if (remainder !== '') visit(remainder);
}

/** Compares every collected word or symbol run in all its positions. */
export function measureTexts(measurement: Measurement, paths: readonly string[]): void {
  const batch = new Batch(measurement);
  for (const path of paths)
    forEachLine(path, (line) => batch.add((forms) => addForms(line, measurement.vocabulary, forms)));
  batch.flush();
}
