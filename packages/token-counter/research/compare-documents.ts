/**
 * Compares the counter with the native package on whole documents, each as one user message: `npx node packages/token-counter/research/compare-documents.ts [--native <folder>] [--slices] [folder or file …]`. Name texts that were never used for measuring
 * (packages/token-counter/research/measure-vocabulary/README.md says which were). First by the pieces as measured, then with our corrections,
 * and every difference is listed with the corrections that explain it. `--slices`: also the benchmark's texts in slices
 * of 4,000 characters. Where no correction explains one, the words that the package prices otherwise are named. Ends
 * with 1 where a family's share of equal documents, as measured, is below 99.9 %, or a correction of ours makes a
 * document differ without explaining it.
 */
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { countContent } from '../src/tokenizer/index.ts';
import { createExplain, measuredCounter } from './compare-native/explain.ts';
import { loadNative } from './compare-native/native-package.ts';

interface Document {
  readonly name: string;
  readonly text: string;
}

const LARGEST = 2_000_000;
const decoder = new TextDecoder('utf-8', { fatal: true });
const seen = new Set<string>();

/** Every file of valid UTF-8 without NUL, once. */
function* documents(paths: readonly string[]): Generator<Document> {
  for (const path of paths) {
    const names = statSync(path).isDirectory()
      ? globSync('**/*', { cwd: path })
          .sort()
          .map((name) => join(path, name))
      : [path];
    for (const name of names) {
      const stat = statSync(name, { throwIfNoEntry: false });
      if (stat === undefined || !stat.isFile() || stat.size === 0 || stat.size > LARGEST) continue;
      let text: string;
      try {
        text = decoder.decode(readFileSync(name));
      } catch {
        continue;
      }
      if (text.includes('\0') || seen.has(text)) continue;
      seen.add(text);
      yield { name, text };
    }
  }
}

async function* slices(): AsyncGenerator<Document> {
  const { buildCorpus, textClasses } = await import('../../../bench/corpus.ts');
  const corpus = buildCorpus();
  for (const name of textClasses)
    for (let from = 0; from < corpus[name].length; from += 4000)
      yield { name: `${name} ${from}`, text: corpus[name].slice(from, from + 4000) };
}

async function* all(paths: readonly string[], withSlices: boolean): AsyncGenerator<Document> {
  yield* documents(paths);
  if (withSlices) yield* slices();
}

/**
 * Words of a text that the package prices otherwise, in the middle of a line: pieces that the measurement did not meet.
 */
function wordsApart(text: string, theirs: (text: string) => number, ours: (text: string) => number): string {
  const apart = [...new Set(text.split(/[\s<>]+/u))].filter((word) => theirs(`a ${word} a`) !== ours(`a ${word} a`));
  return `NOT A CORRECTION; priced otherwise: ${JSON.stringify(apart.slice(0, 5))}`;
}

const args = process.argv.slice(2);
const native = loadNative(args);
const asked = args.indexOf('--slices');
if (asked >= 0) args.splice(asked, 1);
const families = (['v3', 'v4.7'] as const).map((family) => ({
  family,
  measured: measuredCounter(family),
  explain: createExplain(family),
  equalBefore: 0,
  equalAfter: 0,
  unexplained: 0,
  broken: 0,
  differences: [] as string[],
}));
let count = 0;
let bytes = 0;
for await (const { name, text } of all(args, asked >= 0)) {
  count++;
  bytes += Buffer.byteLength(text);
  for (const each of families) {
    const theirs = native(text, each.family);
    const before = each.measured(text);
    const after = countContent(text, each.family);
    if (before === theirs) each.equalBefore++;
    if (after === theirs) each.equalAfter++;
    if (before === theirs && after === theirs) continue;
    const cause = each.explain(text, Math.max(Math.abs(theirs - after), Math.abs(before - theirs)));
    if (cause === undefined) each.unexplained++;
    if (cause === undefined && before === theirs) each.broken++;
    each.differences.push(
      `${each.family} ${name}: package ${theirs}, as measured ${before}, with corrections ${after}: ` +
        `${cause ?? wordsApart(text, (word) => native(word, each.family), each.measured)}`,
    );
  }
}
const share = (equal: number): string => `${equal} of ${count} (${((100 * equal) / count).toFixed(3)} %)`;
console.log(`${count} documents, ${(bytes / 1e6).toFixed(1)} MB\n`);
console.log(
  '| family | equal to the package before corrections | with corrections | differences ' +
    'that no correction explains |\n|---|---|---|---|',
);
for (const each of families)
  console.log(`| ${each.family} | ${share(each.equalBefore)} | ${share(each.equalAfter)} | ${each.unexplained} |`);
console.log('');
for (const each of families) for (const line of each.differences) console.log(line);
process.exit(families.every((each) => each.broken === 0 && each.equalBefore >= 0.999 * count) ? 0 : 1);
