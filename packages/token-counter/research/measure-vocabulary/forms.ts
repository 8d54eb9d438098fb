/** The positions in which one string can stand in a text, each as a short text framed by known letters. */
import { ALL_CAPS, type Vocabulary } from './marked-stream.ts';
import { CASED, WORD, caseBits, classes, upperOf } from './character-classes.ts';
import { INERT, INERT_CAPITAL } from './probes.ts';

/** Capitalises the first unit; empty where it has no capital. */
function capitalise(word: string): string {
  const upper = upperOf[word.charCodeAt(0)] ?? 0;
  return upper === 0 ? '' : String.fromCharCode(upper) + word.slice(1);
}

/** All letters as capitals; empty where one has none. */
function capitals(word: string): string {
  let result = '';
  for (let index = 0; index < word.length; index++) {
    const upper = upperOf[word.charCodeAt(index)] ?? 0;
    if (upper === 0) return '';
    result += String.fromCharCode(upper);
  }
  return result;
}

/** Adds the forms of a body of letters: whole, inner, opening, closing, and the opening forms with capitals. */
export function wordForms(word: string, vocabulary: Vocabulary, into: string[]): void {
  into.push(word, INERT + word + INERT, word + INERT, INERT + word);
  const capital = capitalise(word);
  if (capital === '') return;
  into.push(capital, capital + INERT);
  if (vocabulary !== 'v3') return;
  const upper = capitals(word);
  if (upper !== '') into.push(upper, upper + INERT_CAPITAL.repeat(3));
}

/** Forms of a body of letters that holds capitals and is written verbatim. */
export function verbatimForms(word: string, into: string[]): void {
  into.push(word, INERT + word + INERT, INERT + word, word + INERT);
  if (((caseBits[word.charCodeAt(0)] ?? 0) & CASED) !== 0) into.push(word + INERT_CAPITAL + INERT);
}

/** Forms of a run of symbols: between letters, after a blank, before a blank, between blanks. */
export function symbolForms(run: string, into: string[]): void {
  into.push(`q${run}b`, `q ${run}b`, `q${run} b`, `q ${run} b`);
}

/** Forms by the class of the first character: letters as words, everything else as symbols. */
export function formsOf(body: string, vocabulary: Vocabulary, into: string[]): void {
  if (classes[body.charCodeAt(0)] !== WORD) symbolForms(body, into);
  else if (hasCapital(body)) verbatimForms(body, into);
  else wordForms(body, vocabulary, into);
}

export function hasCapital(body: string): boolean {
  for (let index = 0; index < body.length; index++)
    if (((caseBits[body.charCodeAt(index)] ?? 0) & CASED) !== 0) return true;
  return false;
}

/** The letters and signs of a piece without its markers. */
export function bareBody(piece: string): string {
  let from = 0;
  let to = piece.length;
  while (from < to && piece.charCodeAt(from) <= ALL_CAPS) from++;
  while (to > from && piece.charCodeAt(to - 1) <= ALL_CAPS) to--;
  return piece.slice(from, to);
}
