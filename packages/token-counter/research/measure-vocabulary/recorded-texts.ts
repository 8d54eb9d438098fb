/** Reads recorded counts of the real service from the folder next to the checkout. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { TextFamily } from '../../src/tokenizer/index.ts';

/** A text and its count by the service, without the request's overhead. */
export interface RecordedCount {
  id: string;
  family: TextFamily;
  text: string;
  count: number;
}

interface CalibrationRow {
  id: string;
  gen: string;
  family: string;
  flags: Record<string, unknown>;
  true_input_tokens: number;
  request: { messages?: { content: unknown }[] } & Record<string, unknown>;
}

/** Tokens of a request with one message in addition to its text. */
const OVERHEADS = { v3: 7, 'v4.7': 11, v5: 6, 'v5-sonnet': 6 } as const;
const FAMILIES: Readonly<Record<string, TextFamily>> = {
  claude3: 'v3',
  claude4: 'v3',
  'claude-opus-4-7': 'v4.7',
  'claude-sonnet-5': 'v5-sonnet',
};
/** Parameters that do not change the prompt. */
const UNCOUNTED_PARAMETERS = new Set([
  'messages',
  'model',
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stream',
  'metadata',
  'stop_sequences',
  'service_tier',
]);

/** Flags of usable records: a published count without its frame, and an unusual ratio of tokens to characters. */
const ALLOWED_FLAGS = new Set(['derived', 'outlier_ratio']);

function readLines(path: string): string[] {
  if (!existsSync(path)) throw new Error(`${path} is not there: name the folder of recorded counts`);
  return gunzipSync(readFileSync(path))
    .toString()
    .split('\n')
    .filter((line) => line !== '');
}

/** Returns fragments of the newer family with their counts, each measured between other text. */
export function recordedFragments(folder: string): [string, number][] {
  return readLines(join(folder, 'fragments_opus47.jsonl.gz')).map((line) => JSON.parse(line) as [string, number]);
}

/** Yields whole documents, each sent as one user message to models of several families. */
export function* recordedDocuments(folder: string): Generator<RecordedCount> {
  for (const [set, key] of [
    ['rosetta', 'id'],
    ['multipl_e', 'lang'],
    ['udhr', 'f'],
  ] as const) {
    const counts = JSON.parse(readFileSync(join(folder, 'texts', `${set}_counts.json`), 'utf8')) as Record<
      string,
      { counts: Record<string, number> }
    >;
    for (const line of readLines(join(folder, 'texts', `${set}.jsonl.gz`))) {
      const row = JSON.parse(line) as Record<string, string>;
      const id = row[key] ?? '';
      for (const family of ['v3', 'v4.7', 'v5'] as const) {
        const count = counts[family]?.counts[id];
        if (count !== undefined)
          yield { id: `${set} ${id}`, family, text: row['text'] ?? '', count: count - OVERHEADS[family] };
      }
    }
  }
}

/** Yields recorded requests that contain only one user message of text. */
export function* recordedMessages(folder: string): Generator<RecordedCount> {
  for (const line of readLines(join(folder, 'calibration.jsonl.gz'))) {
    const row = JSON.parse(line) as CalibrationRow;
    const family = FAMILIES[row.family] ?? FAMILIES[row.gen];
    const [message, ...otherMessages] = row.request.messages ?? [];
    if (
      family === undefined ||
      otherMessages.length > 0 ||
      typeof message?.content !== 'string' ||
      Object.keys(row.flags).some((flag) => !ALLOWED_FLAGS.has(flag))
    )
      continue;
    if (Object.keys(row.request).some((key) => !UNCOUNTED_PARAMETERS.has(key))) continue;
    yield {
      id: `calibration ${row.id}`,
      family,
      text: message.content,
      count: row.true_input_tokens - OVERHEADS[family],
    };
  }
}
