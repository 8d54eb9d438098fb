/**
 * Compares the counter with the native package on whole documents, each as one user message: `npx node
 * packages/token-counter/research/compare-documents.ts <folder or file> …`, after `npm --prefix bench ci`. Use texts that
 * were never used for the measurement (listed in packages/token-counter/research/measure-vocabulary/README.md). It
 * compares with the measured pieces first, then with our corrections, and lists each difference. Exits with 1 if the share
 * of equal documents of a family, as measured, is below 99.9 %.
 */
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createChunkCounter } from '../src/tokenizer/chunk-counter.ts';
import { frameByFamily } from '../src/tokenizer/families.ts';
import { countContent } from '../src/tokenizer/index.ts';
import { loadVocabulary } from '../src/tokenizer/vocabulary.ts';
import { loadNativeCounter } from './measure-vocabulary/native-counter.ts';

interface Document {
  readonly name: string;
  readonly text: string;
}

const MAX_BYTES = 2_000_000;
const decoder = new TextDecoder('utf-8', { fatal: true });
const seenTexts = new Set<string>();

/** Yields every file of valid UTF-8 without NUL once. */
function* readDocuments(paths: readonly string[]): Generator<Document> {
  for (const path of paths) {
    const names = statSync(path).isDirectory()
      ? globSync('**/*', { cwd: path })
          .sort()
          .map((name) => join(path, name))
      : [path];
    for (const name of names) {
      const stat = statSync(name, { throwIfNoEntry: false });
      if (stat === undefined || !stat.isFile() || stat.size === 0 || stat.size > MAX_BYTES) continue;
      let text: string;
      try {
        text = decoder.decode(readFileSync(name));
      } catch {
        continue;
      }
      if (text.includes('\0') || seenTexts.has(text)) continue;
      seenTexts.add(text);
      yield { name, text };
    }
  }
}

const documents = [...readDocuments(process.argv.slice(2))];
const bench = join(import.meta.dirname, '../../../bench');
console.log(
  `${documents.length} documents, ${(Buffer.byteLength(documents.map(({ text }) => text).join('')) / 1e6).toFixed(1)} MB`,
);
for (const family of ['v3', 'v4.7'] as const) {
  const native = loadNativeCounter(bench, family);
  const withoutCorrections = createChunkCounter(loadVocabulary(family, { pieces: [], prefixes: [] }));
  let equalAsMeasured = 0;
  let equal = 0;
  for (const { name, text } of documents) {
    const expected = native.count(text);
    const measured = withoutCorrections.countBoundary(text, frameByFamily[family], { first: true, last: true });
    const corrected = countContent(text, family);
    if (measured === expected) equalAsMeasured++;
    if (corrected === expected) equal++;
    if (measured !== expected || corrected !== expected)
      console.log(`  ${name}: package ${expected}, as measured ${measured}, with corrections ${corrected}`);
  }
  console.log(`${family}: ${equalAsMeasured} equal to the package as measured, ${equal} with corrections`);
  if (equalAsMeasured < 0.999 * documents.length) process.exitCode = 1;
}
