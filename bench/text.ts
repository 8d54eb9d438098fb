/**
 * `npm run bench -- text [class …]` compares the speed of the text counter with its peers, after `npm --prefix bench
 * ci`. All run in one process and one thread. The counters alternate slice by slice in rotating order, so that noise
 * affects all alike. novel: a new slice. reordered: its lines in another order (cached words, new text). again: the
 * text in a new string, best of three. MB are 10^6 bytes of UTF-8. Counts are compared with the native package before
 * the measurement.
 */
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { countContent, type TextFamily } from '../packages/token-counter/src/tokenizer/index.ts';
import { seeded } from '../test/support/seeded.ts';
import { buildCorpus, textClasses, type TextClass } from './text/corpus.ts';

interface Counter {
  readonly name: string;
  readonly count: (text: string) => number;
}

const require = createRequire(import.meta.url);
const SLICES = 12;

function createOurCounter(family: TextFamily): Counter {
  return { name: `ours ${family}`, count: (text) => countContent(text, family) };
}

function loadNativePeers(): Counter[] {
  const folder = join(import.meta.dirname, `node_modules/@oh-my-pi/pi-natives-${process.platform}-${process.arch}`);
  try {
    const binary =
      readdirSync(folder)
        .filter((name) => name.endsWith('.node'))
        .sort()
        .at(-1) ?? '';
    const native = require(join(folder, binary)) as { countTokens(text: string, encoding: string): number };
    return [
      { name: 'pi-natives v3', count: (text) => native.countTokens(text, 'ClaudeV3') },
      { name: 'pi-natives v4.7', count: (text) => native.countTokens(text, 'ClaudeV47') },
    ];
  } catch {
    console.log(`pi-natives is not installed for ${process.platform}-${process.arch}: run npm --prefix bench ci`);
    return [];
  }
}

async function loadScriptPeers(): Promise<Counter[]> {
  const { default: Tokenizer } = await import('ai-tokenizer');
  const encodings = await import('ai-tokenizer/encoding');
  const claude = new Tokenizer(encodings.claude);
  const o200k = new Tokenizer(encodings.o200k_base);
  const gpt = await import('gpt-tokenizer/encoding/o200k_base');
  return [
    { name: 'ai-tokenizer claude', count: (text) => claude.count(text) },
    { name: 'ai-tokenizer o200k', count: (text) => o200k.count(text) },
    { name: 'gpt-tokenizer o200k', count: (text) => gpt.countTokens(text, { allowedSpecial: 'all' }) },
  ];
}

/** Returns a new flat string with equal characters, as in a request body. */
function copyString(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}

function measureSeconds(run: () => unknown): number {
  const started = process.hrtime.bigint();
  run();
  return Number(process.hrtime.bigint() - started) / 1e9;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
}

function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

/** Returns three digits, so that no speed is printed as zero. */
const formatSpeed = (value: number): string => String(Number(value.toPrecision(3)));

function reorderLines(text: string): string {
  const next = seeded(text.length);
  const lines = text.split('\n');
  for (let k = lines.length - 1; k > 0; k--) {
    const otherIndex = next(k + 1);
    [lines[k], lines[otherIndex]] = [lines[otherIndex] ?? '', lines[k] ?? ''];
  }
  return lines.join('\n');
}

function checkEquality(
  counters: readonly Counter[],
  corpus: Record<TextClass, string>,
  classes: readonly TextClass[],
): void {
  for (const family of ['v3', 'v4.7']) {
    const ours = counters.find((counter) => counter.name === `ours ${family}`);
    const native = counters.find((counter) => counter.name === `pi-natives ${family}`);
    if (ours === undefined || native === undefined) continue;
    let equalCount = 0;
    let sliceCount = 0;
    for (const name of classes)
      for (let from = 0; from < corpus[name].length; from += 4000) {
        const text = corpus[name].slice(from, from + 4000);
        sliceCount++;
        if (ours.count(text) === native.count(text)) equalCount++;
      }
    console.log(
      `${family}: ${equalCount} of ${sliceCount} slices of 4000 characters equal to pi-natives (which lacks some pieces ` +
        'and cannot see half surrogate pairs)',
    );
  }
}

const selected = process.argv
  .slice(2)
  .filter((name): name is TextClass => (textClasses as readonly string[]).includes(name));
const classes = selected.length > 0 ? selected : textClasses;
const corpus = buildCorpus();
const counters = [createOurCounter('v3'), createOurCounter('v4.7'), ...loadNativePeers(), ...(await loadScriptPeers())];
const speeds = new Map(
  counters.map((counter) => [
    counter.name,
    { novel: [] as number[], reordered: [] as number[], again: [] as number[] },
  ]),
);
const cells: string[][] = [];

// The first half of each class warms up JIT and caches, and the second half is measured.
for (const name of classes) {
  const halfLength = corpus[name].length >> 1;
  for (let k = 0; k < 4; k++)
    for (const counter of counters)
      counter.count(copyString(corpus[name].slice((halfLength * k) >> 2, (halfLength * (k + 1)) >> 2)));
}
for (const name of classes) {
  const text = corpus[name].slice(corpus[name].length >> 1);
  const size = Math.floor(text.length / SLICES);
  const times = counters.map(() => ({ novel: [] as number[], reordered: [] as number[], again: [] as number[] }));
  for (let slice = 0; slice < SLICES; slice++) {
    const source = text.slice(slice * size, (slice + 1) * size);
    const megabytes = new TextEncoder().encode(source).length / 1e6;
    const shuffled = reorderLines(source);
    for (let turn = 0; turn < counters.length; turn++) {
      const index = (turn + slice) % counters.length;
      const counter = counters[index];
      const time = times[index];
      if (counter === undefined || time === undefined) continue;
      const texts = [
        copyString(source),
        copyString(shuffled),
        copyString(source),
        copyString(source),
        copyString(source),
      ];
      const durations = texts.map((copy) => measureSeconds(() => counter.count(copy)));
      time.novel.push(megabytes / (durations[0] ?? 1));
      time.reordered.push(megabytes / (durations[1] ?? 1));
      time.again.push(megabytes / Math.min(...durations.slice(2)));
    }
  }
  counters.forEach((counter, index) => {
    const time = times[index];
    const speed = speeds.get(counter.name);
    if (time === undefined || speed === undefined) return;
    for (const kind of ['novel', 'reordered', 'again'] as const) speed[kind].push(median(time[kind]));
    cells[index] ??= [];
    cells[index].push(
      [time.novel, time.reordered, time.again].map((values) => formatSpeed(median(values))).join(' / '),
    );
  });
}
checkEquality(counters, corpus, classes);

console.log(`\nMB/s: novel / reordered / again (medians of ${SLICES} slices; Node ${process.versions.node})`);
console.log(`| counter | ${classes.join(' | ')} | geometric mean |`);
counters.forEach((counter, index) => {
  const speed = speeds.get(counter.name);
  if (speed === undefined) return;
  const formattedMeans = [speed.novel, speed.reordered, speed.again]
    .map((values) => formatSpeed(geometricMean(values)))
    .join(' / ');
  console.log(`| ${counter.name} | ${cells[index]?.join(' | ')} | ${formattedMeans} |`);
});
for (const [mine, peer] of [
  ['ours v3', 'pi-natives v3'],
  ['ours v4.7', 'pi-natives v4.7'],
  ['ours v4.7', 'ai-tokenizer claude'],
  ['ours v4.7', 'ai-tokenizer o200k'],
  ['ours v3', 'ai-tokenizer claude'],
] as const) {
  const a = speeds.get(mine);
  const b = speeds.get(peer);
  if (a === undefined || b === undefined) continue;
  const ratios = (['novel', 'reordered', 'again'] as const).map(
    (kind) => `${kind} ${(geometricMean(a[kind]) / geometricMean(b[kind])).toFixed(1)}x`,
  );
  console.log(`${mine} against ${peer}: ${ratios.join(', ')}`);
}
