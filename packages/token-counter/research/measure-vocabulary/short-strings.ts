/** Stage 2: repeats, white space, digits, and every short string over the characters that are alive. */
import { formsOf, symbolForms, verbatimForms, wordForms } from './forms.ts';
import { liveCharacters } from './code-points.ts';
import type { Measurement } from './measurement.ts';
import { CONTRACTIONS } from './marked-stream.ts';
import { INERT } from './probes.ts';

const BATCH = 1 << 14;
const LATIN = 'abcdefghijklmnopqrstuvwxyz';
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
/** A character that repeats this often in one piece may do so up to LONGEST_REPEAT. */
const LIVELY_REPEAT = 8;
const SHORT_REPEAT = 16;
const LONGEST_REPEAT = 300;
/** Scripts whose live characters are combined in threes; larger ones in twos only. */
const SMALL_SCRIPT = 80;
const SCRIPTS = (
  'Arabic Armenian Bengali Bopomofo Cherokee Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi ' +
  'Hebrew Hiragana Kannada Katakana Khmer Lao Latin Malayalam Mongolian Myanmar Oriya Sinhala Syriac Tamil ' +
  'Telugu Thaana Thai Tibetan'
).split(' ');

/** Calls `visit` with every string of `length` over the characters. */
function product(characters: readonly string[], length: number, visit: (text: string) => void, prefix = ''): void {
  for (const character of characters) {
    if (length === 1) visit(prefix + character);
    else product(characters, length - 1, visit, prefix + character);
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
  add(write: (into: string[]) => void): void {
    write(this.#texts);
    if (this.#texts.length >= BATCH) this.flush();
  }

  flush(): void {
    this.#measurement.compare(this.#texts);
    this.#texts = [];
  }
}

function measureSpace(measurement: Measurement): void {
  for (const blank of [' ', '\t', '\n', '\u3000'])
    for (let count = 1; count <= 300; count++) measurement.tryPiece(blank.repeat(count));
  for (let length = 2; length <= 4; length++)
    product([' ', '\t', '\n', '\u3000'], length, (run) => measurement.tryPiece(run));
}

function measureRepeats(measurement: Measurement): void {
  const live = liveCharacters(measurement);
  for (const character of [...live.symbols, ...live.plain, ...live.words]) {
    let longest = SHORT_REPEAT;
    for (let count = 2; count <= longest; count++) {
      for (const open of ['\u0002', '']) {
        for (const close of ['\u0003', '']) {
          if (measurement.tryPiece(open + character.repeat(count) + close) && count >= LIVELY_REPEAT)
            longest = LONGEST_REPEAT;
        }
      }
    }
  }
}

/** Every short string that can be enumerated. Afterwards only longer pieces are left to be found in texts. */
export function measureShortStrings(measurement: Measurement): void {
  const { vocabulary } = measurement;
  const batch = new Batch(measurement);
  measureSpace(measurement);
  for (let value = 0; value < 10_000; value++)
    for (let width = 1; width <= 4; width++) batch.add((into) => into.push(`q${String(value).padStart(width, '0')}b`));
  for (let codePoint = 0x21; codePoint < 0x1_0000; codePoint++) {
    const character = String.fromCharCode(codePoint);
    if (character.isWellFormed()) batch.add((into) => formsOf(character, vocabulary, into));
  }
  // The one place where a piece joins a sign to the word behind it.
  for (const ending of CONTRACTIONS) batch.add((into) => into.push(`q'${ending}`, `1'${ending}`));
  measureRepeats(measurement);
  for (const length of [2, 3, 4])
    product([...PUNCTUATION], length, (run) => batch.add((into) => symbolForms(run, into)));
  for (const length of [2, 3, 4])
    product([...LATIN], length, (word) => batch.add((into) => wordForms(word, vocabulary, into)));
  const bothCases = [...LATIN, ...LATIN.toUpperCase()];
  for (const length of [2, 3]) product(bothCases, length, (word) => batch.add((into) => verbatimForms(word, into)));
  product([...LATIN.toUpperCase()], 4, (word) => batch.add((into) => verbatimForms(word, into)));
  batch.flush();
  measureScripts(measurement, batch);
  measureSymbols(measurement, batch);
}

function measureScripts(measurement: Measurement, batch: Batch): void {
  const { words } = liveCharacters(measurement);
  for (const script of SCRIPTS) {
    const member = new RegExp(`[\\p{Script_Extensions=${script}}]`, 'u');
    const letters = words.filter((letter) => member.test(letter) && letter.toLowerCase() === letter);
    product(letters, 2, (pair) => batch.add((into) => wordForms(pair, measurement.vocabulary, into)));
    if (letters.length > SMALL_SCRIPT) continue;
    product(letters, 3, (triple) =>
      batch.add((into) => into.push(triple, INERT + triple + INERT, triple + INERT, INERT + triple)),
    );
  }
  batch.flush();
}

function measureSymbols(measurement: Measurement, batch: Batch): void {
  const { symbols, plain } = liveCharacters(measurement);
  const others = plain.filter((character) => !/[\p{Script=Han}\p{Script=Hangul}]/u.test(character));
  product([...symbols, ...others], 2, (pair) => batch.add((into) => symbolForms(pair, into)));
  for (const script of [/\p{Script=Han}/u, /\p{Script=Hangul}/u]) {
    const members = plain.filter((character) => script.test(character));
    product([...members, ...others.filter((character) => /[\u3001-\u303f]/u.test(character))], 2, (pair) =>
      batch.add((into) => into.push(pair)),
    );
  }
  batch.flush();
}
