import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { countContent, type TextFamily } from '../../src/tokenizer/index.ts';

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

/** Counts every document in a folder of `<set>.jsonl.gz` and `<set>_counts.json`. Throws for an unknown family. */
export function compareTexts(folder: string): ComparedTexts[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('_counts.json'));
  return files.toSorted().flatMap((file) => {
    const set = file.slice(0, -'_counts.json'.length);
    const documents = readDocuments(join(folder, `${set}.jsonl.gz`));
    const recorded = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Readonly<Record<string, Recorded>>;
    return Object.entries(recorded).map(([name, { counts, model = 'model not named' }]) => {
      const rule = overheads[name];
      if (rule === undefined) throw new Error(`${file} has counts of a family "${name}", which is not known here.`);
      const rows = Object.entries(counts).flatMap(([id, tokens]) => {
        const text = documents.get(id);
        return text === undefined ? [] : [{ id, tokens, counted: countContent(text, rule.family) + rule.overhead }];
      });
      const differing = rows.filter(({ tokens, counted }) => tokens !== counted);
      const misses = differing.map(({ id, tokens, counted }) => `${id}: counted ${counted}, recorded ${tokens}`);
      return { set, family: name, model, equal: rows.length - differing.length, misses };
    });
  });
}

function readDocuments(path: string): Map<string, string> {
  const lines = gunzipSync(readFileSync(path)).toString('utf8').split('\n');
  return new Map(
    lines
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { id?: string; f?: string; lang?: string; text: string })
      .map(({ id, f, lang, text }) => [id ?? f ?? lang ?? '', text]),
  );
}
