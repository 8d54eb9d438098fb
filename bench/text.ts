/**
 * `npm run bench -- text [class …]` compares the speed of the text counter with its peers, after `npm --prefix bench
 * ci`. All run in one process and one thread. The counters alternate slice by slice in rotating order, so that noise
 * affects all alike. novel: a new slice. reordered: its lines in another order (cached words, new text). again: the
 * text in a new string, best of three. MB are 10^6 bytes of UTF-8. Counts are compared with the native package before
 * the measurement.
 */
import { loadNativeCounter } from '../packages/token-counter/research/measure-vocabulary/native-counter.ts';
import { countContent } from '../packages/token-counter/src/tokenizer/index.ts';
import { median } from '../test/support/median.ts';
import { seeded } from '../test/support/seeded.ts';
import { buildCorpus, textClasses, type TextClass } from './text/corpus.ts';
import { parseOptions } from '../tools/run/parse-options.ts';

interface Counter {
  readonly name: string;
  readonly count: (text: string) => number;
}

const FAMILIES = ['v3', 'v4.7'] as const;
const KINDS = ['novel', 'reordered', 'again'] as const;
const SLICES = 12;

function loadNativePeers(): Counter[] {
  try {
    return FAMILIES.map((family) => {
      const native = loadNativeCounter(import.meta.dirname, family);
      return { name: `pi-natives ${family}`, count: (text) => native.count(text) };
    });
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
  for (const family of FAMILIES) {
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

const { positionals } = parseOptions({
  usage: `npm run bench -- text [${textClasses.join('|')}]...`,
  allowPositionals: true,
});
const selected = positionals.filter((name): name is TextClass => (textClasses as readonly string[]).includes(name));
const classes = selected.length > 0 ? selected : textClasses;
const corpus = buildCorpus();
const counters: Counter[] = [
  ...FAMILIES.map((family) => ({ name: `ours ${family}`, count: (text: string) => countContent(text, family) })),
  ...loadNativePeers(),
  ...(await loadScriptPeers()),
];
/** Speeds in MB/s by kind, one for each class. */
const measured = counters.map((counter) => ({
  ...counter,
  speeds: { novel: [] as number[], reordered: [] as number[], again: [] as number[] },
}));

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
  const slices = measured.map(() => ({ novel: [] as number[], reordered: [] as number[], again: [] as number[] }));
  for (let slice = 0; slice < SLICES; slice++) {
    const source = text.slice(slice * size, (slice + 1) * size);
    const megabytes = Buffer.byteLength(source) / 1e6;
    const shuffled = reorderLines(source);
    for (const turn of measured.keys()) {
      const index = (turn + slice) % measured.length;
      const [novel = 1, reordered = 1, ...again] = [source, shuffled, source, source, source]
        .map(copyString)
        .map((copy) => measureSeconds(() => measured[index]!.count(copy)));
      slices[index]!.novel.push(megabytes / novel);
      slices[index]!.reordered.push(megabytes / reordered);
      slices[index]!.again.push(megabytes / Math.min(...again));
    }
  }
  for (const [index, { speeds }] of measured.entries())
    for (const kind of KINDS) speeds[kind].push(median(slices[index]![kind]));
}
checkEquality(counters, corpus, classes);

console.log(`\nMB/s: novel / reordered / again (medians of ${SLICES} slices; Node ${process.versions.node})`);
console.log(`| counter | ${classes.join(' | ')} | geometric mean |`);
const formatKinds = (select: (kind: (typeof KINDS)[number]) => number): string =>
  KINDS.map((kind) => formatSpeed(select(kind))).join(' / ');
for (const { name, speeds } of measured) {
  const cells = classes.map((_, index) => formatKinds((kind) => speeds[kind][index]!));
  console.log(`| ${name} | ${cells.join(' | ')} | ${formatKinds((kind) => geometricMean(speeds[kind]))} |`);
}
for (const [mine, peer] of [
  ['ours v3', 'pi-natives v3'],
  ['ours v4.7', 'pi-natives v4.7'],
  ['ours v4.7', 'ai-tokenizer claude'],
  ['ours v4.7', 'ai-tokenizer o200k'],
  ['ours v3', 'ai-tokenizer claude'],
] as const) {
  const a = measured.find(({ name }) => name === mine);
  const b = measured.find(({ name }) => name === peer);
  if (a === undefined || b === undefined) continue;
  const ratios = KINDS.map(
    (kind) => `${kind} ${(geometricMean(a.speeds[kind]) / geometricMean(b.speeds[kind])).toFixed(1)}x`,
  );
  console.log(`${mine} against ${peer}: ${ratios.join(', ')}`);
}
