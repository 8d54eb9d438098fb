/** The positions that one string can have in a text, each as a short text surrounded by known letters. */
import { ALL_CAPS, type Vocabulary } from './marked-stream.ts';
import { CASED, WORD, unitCaseFlags, unitClass, unitUpperCase } from './character-classes.ts';
import { INERT, INERT_CAPITAL } from './probes.ts';

/** Capitalizes the first unit. Returns an empty string if it has no capital. */
function capitalize(word: string): string {
  const upper = unitUpperCase[word.charCodeAt(0)] ?? 0;
  return upper === 0 ? '' : String.fromCharCode(upper) + word.slice(1);
}

/** Capitalizes all letters. Returns an empty string if any letter has no capital. */
function toUpperCase(word: string): string {
  let result = '';
  for (let index = 0; index < word.length; index++) {
    const upper = unitUpperCase[word.charCodeAt(index)] ?? 0;
    if (upper === 0) return '';
    result += String.fromCharCode(upper);
  }
  return result;
}

/** Adds the forms of letters: whole, inner, opening, closing, and the opening forms with capitals. */
export function addWordForms(word: string, vocabulary: Vocabulary, forms: string[]): void {
  forms.push(word, INERT + word + INERT, word + INERT, INERT + word);
  const capital = capitalize(word);
  if (capital === '') return;
  forms.push(capital, capital + INERT);
  if (vocabulary !== 'v3') return;
  const upper = toUpperCase(word);
  if (upper !== '') forms.push(upper, upper + INERT_CAPITAL.repeat(3));
}

/** Adds the forms of letters with capitals that are written verbatim. */
export function addVerbatimForms(word: string, forms: string[]): void {
  forms.push(word, INERT + word + INERT, INERT + word, word + INERT);
  if (((unitCaseFlags[word.charCodeAt(0)] ?? 0) & CASED) !== 0) forms.push(word + INERT_CAPITAL + INERT);
}

/** Adds the forms of a run of symbols: between letters, after a space, before a space, between spaces. */
export function addSymbolForms(run: string, forms: string[]): void {
  forms.push(`q${run}b`, `q ${run}b`, `q${run} b`, `q ${run} b`);
}

/** Adds forms by the class of the first character: letters as words, all others as symbols. */
export function addForms(body: string, vocabulary: Vocabulary, forms: string[]): void {
  if (unitClass[body.charCodeAt(0)] !== WORD) addSymbolForms(body, forms);
  else if (hasCapital(body)) addVerbatimForms(body, forms);
  else addWordForms(body, vocabulary, forms);
}

export function hasCapital(body: string): boolean {
  for (let index = 0; index < body.length; index++)
    if (((unitCaseFlags[body.charCodeAt(index)] ?? 0) & CASED) !== 0) return true;
  return false;
}

/** Returns the letters and signs of a piece without its markers. */
export function stripMarkers(piece: string): string {
  let from = 0;
  let to = piece.length;
  while (from < to && piece.charCodeAt(from) <= ALL_CAPS) from++;
  while (to > from && piece.charCodeAt(to - 1) <= ALL_CAPS) to--;
  return piece.slice(from, to);
}
