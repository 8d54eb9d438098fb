/**
 * Collects the distinct words and symbol runs of a folder of texts. They are only candidates until they are measured.
 */
import { closeSync, existsSync, openSync, readFileSync, readdirSync, renameSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PLAIN, SPACE, WORD, unitClass, unitLowerCase } from './character-classes.ts';
import { hasCapital } from './forms.ts';
import { readCharset, expandDictionary } from './hunspell.ts';
import { BloomFilter } from './bloom-filter.ts';

/** Extensions of files without text. */
const SKIPPED_FILES = new RegExp(
  [
    '\\.(png|jpe?g|gif|svgz?|ico|ttf|otf|woff2?|pfb|pdf|so|a|o|deb|zip|jar|odt|ogg|mp3|wav|webp',
    'bdic|hyp|pyc|xcf|bmp|tar|xz|bz2|db|sqlite|res|icns|eps|ps|js\\.map|index|aff)$',
  ].join('|'),
  'i',
);
const MAX_FILE_BYTES = 48 << 20;
const MAX_WORD_LENGTH = 48;
const WINDOW = 32;

/** Writes each line immediately. A line in memory would retain the whole text that it was cut from. */
class LineWriter {
  readonly #file: number;
  #pending = '';

  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  write(line: string): void {
    this.#pending += `${line}\n`;
    if (this.#pending.length > 1 << 16) this.#flush();
  }

  close(): void {
    this.#flush();
    closeSync(this.#file);
  }

  #flush(): void {
    writeSync(this.#file, this.#pending);
    this.#pending = '';
  }
}

class TextCollector {
  readonly #seen = new BloomFilter();
  readonly words: LineWriter;
  readonly runs: LineWriter;

  constructor(scratch: string) {
    this.words = new LineWriter(join(scratch, 'words.txt.new'));
    this.runs = new LineWriter(join(scratch, 'runs.txt'));
  }

  /** Splits one text. Words are written in lower case, and also unchanged if they contain capitals. */
  addText(raw: string): void {
    const text = raw.normalize('NFC');
    let start = 0;
    while (start < text.length) {
      const isWord = getCharacterClass(text, start) === WORD;
      let end = start + 1;
      while (end < text.length && (getCharacterClass(text, end) === WORD) === isWord && (isWord || !isGap(text, end)))
        end++;
      if (isWord) this.addWord(text.slice(start, end));
      else if (!isGap(text, start)) this.#addRun(text.slice(start, end));
      start = end;
    }
  }

  addWord(word: string): void {
    if (word.length < 2) return;
    for (let from = 0; from < word.length; from += MAX_WORD_LENGTH) {
      const body = word.slice(from, from + MAX_WORD_LENGTH);
      if (hasCapital(body)) this.#writeIfNew(toLowerCase(body), this.words);
      this.#writeIfNew(body, this.words);
    }
  }

  #addRun(run: string): void {
    for (let from = 0; from < run.length; from += WINDOW - 8) {
      const part = run.slice(from, from + WINDOW);
      if (part.length > 1 && part.isWellFormed()) this.#writeIfNew(part, this.runs);
      if (from + WINDOW >= run.length) return;
    }
  }

  #writeIfNew(candidate: string, writer: LineWriter): void {
    if (this.#seen.add(candidate)) writer.write(candidate);
  }
}

function getCharacterClass(text: string, index: number): number {
  return unitClass[text.charCodeAt(index)] ?? PLAIN;
}

/** Returns whether a character separates runs of symbols: white space or a control character. */
function isGap(text: string, index: number): boolean {
  return text.charCodeAt(index) <= 32 || getCharacterClass(text, index) === SPACE;
}

function toLowerCase(word: string): string {
  let result = '';
  for (let index = 0; index < word.length; index++)
    result += String.fromCharCode(unitLowerCase[word.charCodeAt(index)] ?? 0);
  return result;
}

function decodeText(path: string, bytes: Uint8Array): string | undefined {
  if (/\/(skk|edict)\//.test(path)) return new TextDecoder('euc-jp').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Message catalogs are binary with texts inside. All other files that are not UTF-8 are skipped.
    return path.endsWith('.mo') ? new TextDecoder().decode(bytes) : undefined;
  }
}

function collectFile(path: string, collector: TextCollector): void {
  if (SKIPPED_FILES.test(path) || statSync(path).size > MAX_FILE_BYTES) return;
  let bytes: Uint8Array = readFileSync(path);
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) bytes = gunzipSync(bytes, { maxOutputLength: MAX_FILE_BYTES * 8 });
  const affixes = path.replace(/\.dic$/, '.aff');
  if (affixes !== path && existsSync(affixes)) {
    const affixBytes = readFileSync(affixes);
    const decoder = new TextDecoder(readCharset(affixBytes));
    expandDictionary(decoder.decode(affixBytes), decoder.decode(bytes), (word) => collector.addText(word));
    return;
  }
  const text = decodeText(path, bytes);
  if (text === undefined) return;
  if (!/\.jsonl(\.gz)?$/.test(path)) return collector.addText(text);
  for (const line of text.split('\n')) if (line !== '') collector.addText((JSON.parse(line) as [string])[0]);
}

function collectPath(path: string, collector: TextCollector): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (stats.isDirectory()) {
    for (const entry of readdirSync(path, { withFileTypes: true }))
      if (!entry.isSymbolicLink()) collectPath(join(path, entry.name), collector);
    return;
  }
  if (!stats.isFile()) return;
  try {
    collectFile(path, collector);
  } catch (error) {
    console.error(`left out ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Reads every text below the paths and writes `words.txt` and `runs.txt` into the scratch folder. */
export function collectTexts(paths: readonly string[], scratch: string): void {
  const collector = new TextCollector(scratch);
  for (const path of paths) collectPath(path, collector);
  collector.words.close();
  collector.runs.close();
  // Rename only a finished collection, so that a stopped one is repeated.
  renameSync(join(scratch, 'words.txt.new'), join(scratch, 'words.txt'));
}
