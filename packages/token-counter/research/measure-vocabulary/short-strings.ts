/** Stage 2: repeats, white space, digits, and every short string over the characters that occur in pieces. */
import { addForms, addSymbolForms, addVerbatimForms, addWordForms } from './forms.ts';
import { listSinglePieceCharacters } from './code-points.ts';
import type { Measurement } from './measurement.ts';
import { CONTRACTIONS } from './marked-stream.ts';
import { INERT } from './probes.ts';

const BATCH_SIZE = 1 << 14;
const LATIN = 'abcdefghijklmnopqrstuvwxyz';
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
/** A character that repeats this often in one piece may repeat up to MAX_REPEAT times. */
const EXTEND_FROM_REPEAT = 8;
const DEFAULT_MAX_REPEAT = 16;
const MAX_REPEAT = 300;
/** Maximum number of characters of a script that are combined in threes. Larger scripts are combined only in twos. */
const MAX_LETTERS_FOR_TRIPLES = 80;
const SCRIPTS = (
  'Arabic Armenian Bengali Bopomofo Cherokee Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi ' +
  'Hebrew Hiragana Kannada Katakana Khmer Lao Latin Malayalam Mongolian Myanmar Oriya Sinhala Syriac Tamil ' +
  'Telugu Thaana Thai Tibetan'
).split(' ');

/** Calls `visit` with every string of `length` over the characters. */
function forEachString(
  characters: readonly string[],
  length: number,
  visit: (text: string) => void,
  prefix = '',
): void {
  for (const character of characters) {
    if (length === 1) visit(prefix + character);
    else forEachString(characters, length - 1, visit, prefix + character);
  }
}

/** Collects texts and compares them in batches. */
export class Batch {
  readonly #measurement: Measurement;
  #texts: string[] = [];

  constructor(measurement: Measurement) {
    this.#measurement = measurement;
  }

  /** Lets `write` append texts. */
  add(write: (forms: string[]) => void): void {
    write(this.#texts);
    if (this.#texts.length >= BATCH_SIZE) this.flush();
  }

  flush(): void {
    this.#measurement.compare(this.#texts);
    this.#texts = [];
  }
}

function measureSpace(measurement: Measurement): void {
  for (const whitespace of [' ', '\t', '\n', '\u3000'])
    for (let count = 1; count <= 300; count++) measurement.addIfPiece(whitespace.repeat(count));
  for (let length = 2; length <= 4; length++)
    forEachString([' ', '\t', '\n', '\u3000'], length, (run) => measurement.addIfPiece(run));
}

function measureRepeats(measurement: Measurement): void {
  const characters = listSinglePieceCharacters(measurement);
  for (const character of [...characters.symbols, ...characters.plain, ...characters.words]) {
    let maxRepeat = DEFAULT_MAX_REPEAT;
    for (let count = 2; count <= maxRepeat; count++) {
      for (const open of ['\u0002', '']) {
        for (const close of ['\u0003', '']) {
          if (measurement.addIfPiece(open + character.repeat(count) + close) && count >= EXTEND_FROM_REPEAT)
            maxRepeat = MAX_REPEAT;
        }
      }
    }
  }
}

/** Measures every short string that can be enumerated. Afterwards only longer pieces remain to be found in texts. */
export function measureShortStrings(measurement: Measurement): void {
  const { vocabulary } = measurement;
  const batch = new Batch(measurement);
  measureSpace(measurement);
  for (let value = 0; value < 10_000; value++)
    for (let width = 1; width <= 4; width++)
      batch.add((forms) => forms.push(`q${String(value).padStart(width, '0')}b`));
  for (let codePoint = 0x21; codePoint < 0x1_0000; codePoint++) {
    const character = String.fromCharCode(codePoint);
    if (character.isWellFormed()) batch.add((forms) => addForms(character, vocabulary, forms));
  }
  // Only here a piece joins a sign to the following word.
  for (const contraction of CONTRACTIONS) batch.add((forms) => forms.push(`q'${contraction}`, `1'${contraction}`));
  measureRepeats(measurement);
  for (const length of [2, 3, 4])
    forEachString([...PUNCTUATION], length, (run) => batch.add((forms) => addSymbolForms(run, forms)));
  for (const length of [2, 3, 4])
    forEachString([...LATIN], length, (word) => batch.add((forms) => addWordForms(word, vocabulary, forms)));
  const bothCases = [...LATIN, ...LATIN.toUpperCase()];
  for (const length of [2, 3])
    forEachString(bothCases, length, (word) => batch.add((forms) => addVerbatimForms(word, forms)));
  forEachString([...LATIN.toUpperCase()], 4, (word) => batch.add((forms) => addVerbatimForms(word, forms)));
  batch.flush();
  measureScripts(measurement, batch);
  measureSymbols(measurement, batch);
}

function measureScripts(measurement: Measurement, batch: Batch): void {
  const { words } = listSinglePieceCharacters(measurement);
  for (const script of SCRIPTS) {
    const scriptPattern = new RegExp(`[\\p{Script_Extensions=${script}}]`, 'u');
    const letters = words.filter((letter) => scriptPattern.test(letter) && letter.toLowerCase() === letter);
    forEachString(letters, 2, (pair) => batch.add((forms) => addWordForms(pair, measurement.vocabulary, forms)));
    if (letters.length > MAX_LETTERS_FOR_TRIPLES) continue;
    forEachString(letters, 3, (triple) =>
      batch.add((forms) => forms.push(triple, INERT + triple + INERT, triple + INERT, INERT + triple)),
    );
  }
  batch.flush();
}

function measureSymbols(measurement: Measurement, batch: Batch): void {
  const { symbols, plain } = listSinglePieceCharacters(measurement);
  const others = plain.filter((character) => !/[\p{Script=Han}\p{Script=Hangul}]/u.test(character));
  forEachString([...symbols, ...others], 2, (pair) => batch.add((forms) => addSymbolForms(pair, forms)));
  for (const script of [/\p{Script=Han}/u, /\p{Script=Hangul}/u]) {
    const members = plain.filter((character) => script.test(character));
    forEachString([...members, ...others.filter((character) => /[\u3001-\u303f]/u.test(character))], 2, (pair) =>
      batch.add((forms) => forms.push(pair)),
    );
  }
  batch.flush();
}
