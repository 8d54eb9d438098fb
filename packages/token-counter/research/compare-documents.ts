/**
 * Compares the counter with the native package on whole documents, each as one user message: `npx node
 * packages/token-counter/research/compare-documents.ts [--native <folder>] [--slices] [folder or file …]`. Use texts
 * that were never used for the measurement (listed in packages/token-counter/research/measure-vocabulary/README.md). It
 * compares with the measured pieces first, then with our corrections. Each difference is listed with the corrections
 * that explain it. `--slices` adds the benchmark texts in slices of 4,000 characters. If no correction explains a
 * difference, the differing words are listed. Exits with 1 if the share of equal documents of a family, as measured, is
 * below 99.9 %. Also exits with 1 if a correction makes a document differ without explaining the difference.
 */
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { countContent } from '../src/tokenizer/index.ts';
import { createExplainer, createMeasuredCounter } from './compare-native/explain.ts';
import { loadNativePackage } from './compare-native/native-package.ts';

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

async function* readSlices(): AsyncGenerator<Document> {
  const { buildCorpus, textClasses } = await import('../../../bench/text/corpus.ts');
  const corpus = buildCorpus();
  for (const name of textClasses)
    for (let from = 0; from < corpus[name].length; from += 4000)
      yield { name: `${name} ${from}`, text: corpus[name].slice(from, from + 4000) };
}

async function* readAll(paths: readonly string[], withSlices: boolean): AsyncGenerator<Document> {
  yield* readDocuments(paths);
  if (withSlices) yield* readSlices();
}

/** Returns words of a text that the package counts differently within a line: pieces that the measurement missed. */
function listDifferingWords(
  text: string,
  countNative: (text: string) => number,
  countOurs: (text: string) => number,
): string {
  const differing = [...new Set(text.split(/[\s<>]+/u))].filter(
    (word) => countNative(`a ${word} a`) !== countOurs(`a ${word} a`),
  );
  return `NOT A CORRECTION; priced otherwise: ${JSON.stringify(differing.slice(0, 5))}`;
}

const args = process.argv.slice(2);
const native = loadNativePackage(args);
const slicesFlagIndex = args.indexOf('--slices');
if (slicesFlagIndex >= 0) args.splice(slicesFlagIndex, 1);
const families = (['v3', 'v4.7'] as const).map((family) => ({
  family,
  measured: createMeasuredCounter(family),
  explain: createExplainer(family),
  equalBefore: 0,
  equalAfter: 0,
  unexplained: 0,
  broken: 0,
  differences: [] as string[],
}));
let count = 0;
let bytes = 0;
for await (const { name, text } of readAll(args, slicesFlagIndex >= 0)) {
  count++;
  bytes += Buffer.byteLength(text);
  for (const familyResult of families) {
    const nativeCount = native(text, familyResult.family);
    const measuredCount = familyResult.measured(text);
    const countWithCorrections = countContent(text, familyResult.family);
    if (measuredCount === nativeCount) familyResult.equalBefore++;
    if (countWithCorrections === nativeCount) familyResult.equalAfter++;
    if (measuredCount === nativeCount && countWithCorrections === nativeCount) continue;
    const explanation = familyResult.explain(
      text,
      Math.max(Math.abs(nativeCount - countWithCorrections), Math.abs(measuredCount - nativeCount)),
    );
    if (explanation === undefined) familyResult.unexplained++;
    if (explanation === undefined && measuredCount === nativeCount) familyResult.broken++;
    familyResult.differences.push(
      `${familyResult.family} ${name}: package ${nativeCount}, as measured ${measuredCount}, with corrections ${countWithCorrections}: ` +
        `${explanation ?? listDifferingWords(text, (word) => native(word, familyResult.family), familyResult.measured)}`,
    );
  }
}
const formatShare = (equal: number): string => `${equal} of ${count} (${((100 * equal) / count).toFixed(3)} %)`;
console.log(`${count} documents, ${(bytes / 1e6).toFixed(1)} MB\n`);
console.log(
  '| family | equal to the package before corrections | with corrections | differences ' +
    'that no correction explains |\n|---|---|---|---|',
);
for (const familyResult of families)
  console.log(
    `| ${familyResult.family} | ${formatShare(familyResult.equalBefore)} | ${formatShare(familyResult.equalAfter)} | ${familyResult.unexplained} |`,
  );
console.log('');
for (const familyResult of families) for (const line of familyResult.differences) console.log(line);
process.exit(
  families.every((familyResult) => familyResult.broken === 0 && familyResult.equalBefore >= 0.999 * count) ? 0 : 1,
);
