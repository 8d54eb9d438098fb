/**
 * Compares the speed of the tokenizer with that of another checkout: `npx node
 * packages/token-counter/bench/compare-versions.ts <checkout> [rounds]`. Both alternate in one process, so that noise
 * affects both alike. Prints the median ratio of new to old speed. Above 1 the tokenizer of this checkout is faster.
 */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { languages } from '../../../test/regression/requests/languages.ts';
import { seeded } from '../../../test/support/seeded.ts';
import { countContent } from '../src/tokenizer/index.ts';
import { randomText } from '../test/random-texts.ts';

const root = join(import.meta.dirname, '../../..');
const [checkout = '', rounds = '8'] = process.argv.slice(2);
const otherCheckout = (await import(
  pathToFileURL(resolve(checkout, 'packages/token-counter/src/tokenizer/index.ts')).href
)) as { countContent: typeof countContent };
const counters = [otherCheckout.countContent, countContent];

const readFiles = (pattern: string): string =>
  globSync(pattern, { cwd: root })
    .sort()
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')
    .slice(0, 1_200_000);
const random = seeded(3);
const corpus = {
  prose: readFiles('docs/**/*.md'),
  typescript: readFiles('src/**/*.ts'),
  json: readFiles('docs/reference/openapi.json'),
  languages: Array.from({ length: 400 }, (_, languageIndex) =>
    Object.values(languages)
      .map((text) => [...text].slice(languageIndex % 7).join(''))
      .join(' '),
  ).join('\n'),
  mixed: randomText(random, 200_000, 6),
  base64: Array.from({ length: 6000 }, () =>
    Buffer.from(Uint8Array.from({ length: 90 }, () => random(256))).toString('base64'),
  ).join('\n'),
};

const SLICES = 16;
/** Returns a new flat string. */
const copyString = (text: string): string => JSON.parse(JSON.stringify(text)) as string;
const shuffleLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => ({ line, order: random(1 << 30) }))
    .sort((a, b) => a.order - b.order)
    .map(({ line }) => line)
    .join('\n');

/** Measures CPU time, which other processes disturb less than elapsed time. */
function measureMicroseconds(work: () => unknown): number {
  const started = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(started);
  return user + system;
}

const geometricMean = (values: number[]): number =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
const medians: { first: number[]; again: number[] } = { first: [], again: [] };
const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!;

for (const family of ['v3', 'v4.7'] as const)
  for (const [name, text] of Object.entries(corpus)) {
    // `first` is the first round. Later rounds read the lines in another order, so words are cached and texts are not.
    const ratios: { first: number[]; again: number[] } = { first: [], again: [] };
    for (let round = 0; round < Number(rounds); round++)
      for (let slice = 0; slice < SLICES; slice++) {
        const size = Math.ceil(text.length / SLICES);
        const sliceText = shuffleLines(text.slice(slice * size, (slice + 1) * size));
        const order = (slice + round) % 2 === 0 ? [0, 1] : [1, 0];
        const times = [0, 0];
        const counts = [0, 0];
        for (const index of order) {
          const copy = copyString(sliceText);
          times[index] = measureMicroseconds(() => {
            counts[index] = counters[index]!(copy, family);
          });
        }
        if (counts[0] !== counts[1]) throw new Error(`${name}: ${counts[0]} in the other checkout, ${counts[1]} here`);
        ratios[round === 0 ? 'first' : 'again'].push(times[0]! / times[1]!);
      }
    const first = median(ratios.first);
    const again = median(ratios.again);
    medians.first.push(first);
    medians.again.push(again);
    console.log(`${family.padEnd(5)} ${name.padEnd(11)} first ${first.toFixed(3)}  again ${again.toFixed(3)}`);
  }
console.log(
  `geometric mean    first ${geometricMean(medians.first).toFixed(3)}  again ${geometricMean(medians.again).toFixed(3)}`,
);
