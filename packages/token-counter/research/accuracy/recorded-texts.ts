import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { countConcatenated, countContent, type TextFamily } from '../../src/tokenizer/index.ts';

interface Recorded {
  readonly model?: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** Whole documents of one set, counted for one tokenizer family. */
interface ComparedTexts {
  set: string;
  family: string;
  model: string;
  equal: number;
  /** One sentence for each document with a different count. */
  misses: string[];
}

/** Overhead of a one-message request and the frame, by the family name of the recordings. */
const overheads: Readonly<Record<string, { family: TextFamily; overhead: number }>> = {
  v3: { family: 'v3', overhead: 7 },
  'v4.7': { family: 'v4.7', overhead: 11 },
  v47: { family: 'v4.7', overhead: 11 },
  v5: { family: 'v5', overhead: 6 },
};

interface RecordedText {
  set: string;
  /** Name of the family and model as recorded. */
  name: string;
  model: string;
  family: TextFamily;
  id: string;
  text: string;
  recorded: number;
  counted: number;
}

/** Yields every document in a folder of `<set>.jsonl.gz` and `<set>_counts.json`. Throws for an unknown family. */
export function* readRecordedTexts(folder: string): Generator<RecordedText> {
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('_counts.json'))
    .toSorted()) {
    const set = file.slice(0, -'_counts.json'.length);
    const documents = readDocuments(join(folder, `${set}.jsonl.gz`));
    const families = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Readonly<Record<string, Recorded>>;
    for (const [name, { counts, model = 'model not named' }] of Object.entries(families)) {
      const rule = overheads[name];
      if (rule === undefined) throw new Error(`${file} has counts of a family "${name}", which is not known here.`);
      const { family, overhead } = rule;
      for (const [id, recorded] of Object.entries(counts)) {
        const text = documents.get(id);
        if (text === undefined) continue;
        yield { set, name, model, family, id, text, recorded, counted: countContent(text, family) + overhead };
      }
    }
  }
}

/** Counts every document of the sets in a folder. */
export function compareTexts(folder: string): ComparedTexts[] {
  const groups = Map.groupBy(readRecordedTexts(folder), ({ set, name }) => `${set} ${name}`);
  return [...groups.values()].map((texts) => {
    const { set, name, model } = texts[0]!;
    const differing = texts.filter(({ recorded, counted }) => recorded !== counted);
    const misses = differing.map(({ id, recorded, counted }) => `${id}: counted ${counted}, recorded ${recorded}`);
    return { set, family: name, model, equal: texts.length - differing.length, misses };
  });
}

/** A sign around a fragment, as in the recordings. No piece crosses it, except for `![`. */
const SEPARATOR = '!';
const SEPARATOR_BEFORE_BRACKET = '^';
/** Control characters, which normalized text omits, followed by a bracket. */
const BRACKET_FIRST = /^[\u0001-\u0008\u000b-\u001f]*\[/;

/** Counts strings of `fragments_opus47.jsonl.gz`, whose counts were recorded between other text. */
export function compareFragments(path: string): ComparedTexts {
  const countTokens = (...parts: string[]): number => countConcatenated(parts, 'v4.7');
  const lines = readLines(path);
  const misses = lines.flatMap((line) => {
    const [fragment, recorded] = JSON.parse(line) as [string, number];
    const before = BRACKET_FIRST.test(fragment) ? SEPARATOR_BEFORE_BRACKET : SEPARATOR;
    const counted = countTokens(before, fragment, SEPARATOR) - countTokens(before) - countTokens(SEPARATOR);
    return counted === recorded ? [] : [`${JSON.stringify(fragment)}: counted ${counted}, recorded ${recorded}`];
  });
  return { set: 'fragments', family: 'v4.7', model: 'claude-opus-4-7', equal: lines.length - misses.length, misses };
}

const readLines = (path: string): string[] =>
  gunzipSync(readFileSync(path))
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');

function readDocuments(path: string): Map<string, string> {
  return new Map(
    readLines(path)
      .map((line) => JSON.parse(line) as { id?: string; f?: string; lang?: string; text: string })
      .map(({ id, f, lang, text }) => [id ?? f ?? lang ?? '', text]),
  );
}
