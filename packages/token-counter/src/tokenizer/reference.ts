/**
 * A readable tokenizer with the counts of `content.ts`, written with strings, sets and regular expressions.
 *
 *   normalize → pre-tokenize → segment (Viterbi over a trie) → cache
 *
 * 1. `normalize` converts the text into one Unicode form and deletes characters that the models do not see.
 * 2. `preTokenize` splits it into words, white space and symbols, and adds marker characters at their boundaries.
 *    No vocabulary piece crosses a boundary, so the pre-tokens can be counted separately.
 * 3. `segment` covers a pre-token with as few vocabulary pieces as possible. A greedy longest match or byte-pair merges
 *    would give other counts. Characters outside all pieces cost their UTF-8 bytes (byte fallback).
 * 4. Pre-tokens repeat, so their counts are cached.
 *
 * The fast tokenizer uses flat arrays: `normalize.ts`, `pretokenizer.ts`, `viterbi-segmentation.ts` over the double
 * array of `trie.ts`, `token-count-cache.ts`. It shares data with this file but no code. `reference.test.ts` checks
 * that both return equal counts.
 */
import { classRuns } from '../../data/character-table.ts';
import { corrections, prefixCorrections } from '../../data/corrections.ts';
import * as v47 from '../../data/vocabulary-v4_7.js';
import * as v3 from '../../data/vocabulary-v3.js';
import type { TextFamily } from './families.ts';

/** Markers are control characters, which normalized text does not contain. The space between two markers is omitted. */
const OPEN = '\x02';
const CLOSE = '\x03';
const CAPITALIZED = '\x04';
const ALL_CAPS = '\x05';

interface TrieNode {
  readonly children: Map<string, TrieNode>;
  isPiece: boolean;
}

interface Vocabulary {
  /** Whether this is the older vocabulary, which folds curly quotes and has a marker for words in capitals. */
  readonly isV3: boolean;
  readonly trie: TrieNode;
  /** Prefixes of UTF-8 sequences that are one piece, as hexadecimal. */
  readonly bytePrefixes: ReadonlySet<string>;
  readonly cache: Map<string, number>;
}

const vocabularies = new Map<'v3' | 'v4.7', Vocabulary>();

function getVocabulary(family: TextFamily): Vocabulary {
  const name = family === 'v3' ? 'v3' : 'v4.7';
  const vocabulary = vocabularies.get(name) ?? loadVocabulary(name);
  vocabularies.set(name, vocabulary);
  return vocabulary;
}

/**
 * Returns the tokens of a text as the content of one message, without the overhead of the message. The families differ
 * in the effect of the surrounding prompt on both ends.
 */
export function countContent(text: string, family: TextFamily): number {
  const vocabulary = getVocabulary(family);
  // Opus 5 drops white space at the end.
  if (family === 'v5') return countConcatenated(text.replace(/[ \t\n\r\f\v]+$/, ''), family);
  // In other families, line feeds at the end form one run with those of the prompt. One token of this run belongs to
  // the prompt.
  const normal = normalize(text, vocabulary);
  const content = normal.replace(/\n+$/, '');
  const lineFeeds = normal.length - content.length;
  const promptLineFeeds = family === 'v5-sonnet' ? 0 : 2;
  const tail = lineFeeds === 0 ? 0 : segment('\n'.repeat(lineFeeds + promptLineFeeds), vocabulary) - 1;
  if (family === 'v5-sonnet') return tail + countPreTokens(preTokenize(content, vocabulary), vocabulary);
  // The prompt of the older families ends in a space, which replaces a space at the start of the text.
  const afterSpace = text.startsWith(' ') && /^ (?! )/.test(content) ? content.slice(1) : content;
  return tail + (afterSpace === '' ? 1 : countPreTokens(preTokenize(afterSpace, vocabulary, true), vocabulary));
}

/** Returns the tokens of a text within a prompt. */
export function countConcatenated(text: string, family: TextFamily): number {
  const vocabulary = getVocabulary(family);
  return countPreTokens(preTokenize(normalize(text, vocabulary), vocabulary), vocabulary);
}

/** Returns the tokens by one segmentation of the whole text, which proves that pre-tokens can be counted separately. */
export function countUnsplit(text: string, family: TextFamily): number {
  const vocabulary = getVocabulary(family);
  return segment(preTokenize(normalize(text, vocabulary), vocabulary).join(''), vocabulary);
}

function countPreTokens(preTokens: readonly string[], vocabulary: Vocabulary): number {
  return preTokens.reduce((sum, preToken) => sum + countPreToken(preToken, vocabulary), 0);
}

function countPreToken(preToken: string, vocabulary: Vocabulary): number {
  const cached = vocabulary.cache.get(preToken);
  if (cached !== undefined) return cached;
  const count = segment(preToken, vocabulary);
  vocabulary.cache.set(preToken, count);
  return count;
}

// 1. Normalize

function normalize(text: string, { isV3 }: Vocabulary): string {
  const composed = text.toWellFormed().normalize('NFC');
  const withoutControls = composed
    // Control characters except for tab, line feed and NUL, and the private use area.
    .replace(/[\u0001-\u0008\u000b-\u001f\u007f-\u009f\ue000-\uf8ff]/g, '')
    .replaceAll('\0', ' ')
    // Thai SARA AM, which NFC represents as two characters.
    .replaceAll('\u0e4d\u0e32', '\u0e33');
  const withStraightQuotes = isV3
    ? withoutControls.replace(/[\u2018\u2019]/g, "'").replace(/[\u201c\u201d]/g, '"')
    : withoutControls;
  return withStraightQuotes.replace(/[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f]/g, ' ');
}

// 2. Pre-tokenize

/**
 * Returns the class of a character by `data/character-table.ts`: W word, S white space, P plain (Han, Hangul, emoji,
 * digits), E edged (punctuation, symbols, separating marks), V variation selector, D decimal numbers and O other
 * numbers of other scripts.
 */
function getCharacterClass(character: string): string {
  return character.length > 1 ? 'P' : classes.charAt(character.charCodeAt(0));
}
const classes = [...classRuns.matchAll(/([0-9a-z]+)([A-Z])/g)]
  .map(([, length = '', letter = '']) => letter.repeat(parseInt(length, 36)))
  .join('');

/** Returns whether a character may have a marker. */
const isEdged = (character: string): boolean => 'EVDO'.includes(getCharacterClass(character));

/**
 * Splits normalized text into words, white space and symbols (all others), with their markers. `Hi, all!` becomes
 * `⇧⟨hi⟩`, `,⟩`, `⟨all⟩`, `!`, where ⟨ opens, ⟩ closes and ⇧ marks a capitalized word.
 * @param afterSpace whether the text follows a space of the prompt
 */
function preTokenize(text: string, vocabulary: Vocabulary, afterSpace = false): string[] {
  const runs = splitRuns([...text]);
  const preTokens: string[] = [];
  runs.forEach((run, index) => {
    const body = run.join('');
    if (getRunKind(run) === 'space') preTokens.push(body);
    else if (getRunKind(run) === 'symbols') preTokens.push(markSymbols(runs, index, afterSpace));
    // `'s` is one pre-token, whose word has only a closing marker.
    else if (isContraction(runs, index)) preTokens.push(`${preTokens.pop()}${body}${CLOSE}`);
    else preTokens.push(markWord(body, vocabulary));
  });
  if (afterSpace) applyFrameSpace(preTokens, runs);
  // A closing and an opening marker imply the single space between them.
  return preTokens.filter(
    (preToken, at) => !(preToken === ' ' && preTokens[at - 1]?.endsWith(CLOSE) && hasOpenMarker(preTokens[at + 1])),
  );
}

const hasOpenMarker = (preToken = ''): boolean => /^[\x04\x05]?\x02/.test(preToken);

/**
 * Uses the prompt's space as the opening marker of the first pre-token. Before an apostrophe of a word it stays a
 * space.
 */
function applyFrameSpace(preTokens: string[], runs: readonly Run[]): void {
  const [first] = preTokens;
  if (first === undefined || hasOpenMarker(first) || first.startsWith(' ')) return;
  if (beginsWord(runs, 0)) preTokens.unshift(' ');
  else preTokens[0] = OPEN + first;
}

/** Adjacent characters of one kind. */
type Run = string[];

type RunKind = 'word' | 'space' | 'symbols';

function getRunKind([character = '']: Run): RunKind {
  const letter = getCharacterClass(character);
  if (letter === 'W') return 'word';
  return letter === 'S' ? 'space' : 'symbols';
}

function splitRuns(characters: readonly string[]): Run[] {
  const runs: Run[] = [];
  for (const character of characters) {
    const last = runs.at(-1);
    if (last && getRunKind(last) === getRunKind([character])) last.push(character);
    else runs.push([character]);
  }
  return runs;
}

/** Marks symbols on the side of a space, except for an apostrophe that begins a word. */
function markSymbols(runs: readonly Run[], index: number, afterSpace: boolean): string {
  const run = runs[index]!;
  const spaceBefore = index === 0 ? afterSpace : runs[index - 1]!.at(-1) === ' ';
  const spaceAfter = /^ (?! )/.test(runs[index + 1]?.join('') ?? '');
  const opens = spaceBefore && !beginsWord(runs, index) && takesMarker(run, 0);
  const closes = spaceAfter && takesMarker(run, run.length - 1);
  return `${opens ? OPEN : ''}${run.join('')}${closes ? CLOSE : ''}`;
}

const beginsWord = (runs: readonly Run[], index: number): boolean =>
  runs[index]!.join('') === "'" && runs[index + 1] !== undefined && getRunKind(runs[index + 1]!) === 'word';

/**
 * Returns whether a marker may be at the outer end `at` of symbols. Numbers have one if their block has one kind. A
 * block is a number and the numbers and selectors after it.
 */
function takesMarker(run: Run, at: number): boolean {
  const letters = run.map(getCharacterClass).join('');
  if (!isEdged(run[at]!)) return false;
  if (!'DO'.includes(letters[at]!)) return true;
  const block = at === 0 ? /^[DOV]+/.exec(letters) : /[DO][DOV]*$/.exec(letters);
  return /^(D+|O+)$/.test(block![0]);
}

/**
 * Returns whether a word continues an apostrophe (`it's`). Returns false if symbols that have a marker precede both.
 */
function isContraction(runs: readonly Run[], index: number): boolean {
  const symbols = runs[index - 1];
  if (symbols?.at(-1) !== "'" || !/^(?:[stdm]|ll|re|ve)$/.test(runs[index]!.join(''))) return false;
  const before = symbols.slice(0, -1);
  if (before.length > 0) return !takesMarker(before, before.length - 1);
  // All other rules treat circled letters as words.
  return !/[\u24b6-\u24e9]/.test(runs[index - 2]?.at(-1) ?? '');
}

/** Returns a word between markers. It is in lower case after a case marker if that is lossless, or else unchanged. */
function markWord(word: string, { isV3 }: Vocabulary): string {
  const verbatim = `${OPEN}${word}${CLOSE}`;
  const lowered = `${OPEN}${[...word].map(toLowerCase).join('')}${CLOSE}`;
  const [first = '', ...rest] = word;
  if (word.includes('\u1e9e')) return verbatim;
  if (word.includes('\u0130')) {
    // These rules do not treat the dotted capital I as a capital, but it has no lower case.
    const others = rest.some((character) => isCapital(character) && character !== '\u0130');
    return isCapital(first) && first !== '\u0130' && !others ? `${CAPITALIZED}${lowered}` : verbatim;
  }
  const hasUncased = [...word].some(
    (character) => /[\p{L}\p{M}]/u.test(character) && !/\p{Lowercase}/u.test(character) && !isCased(character),
  );
  if (isV3 && word.length >= 4 && [...word].some(isCapital) && !/\p{Lowercase}/u.test(word) && !hasUncased)
    return `${ALL_CAPS}${lowered}`;
  return isCased(first) && !rest.some(isCapital) ? `${CAPITALIZED}${lowered}` : verbatim;
}

// Simple case mapping. U+0130 and U+03F4 have no reversible one.
const toLowerCase = (character: string): string =>
  /[\u0130\u03f4]/.test(character) ? character : character.toLowerCase();
const isCapital = (character: string): boolean => character !== '\u03f4' && /\p{Uppercase}/u.test(character);
const isCased = (character: string): boolean => isCapital(character) && toLowerCase(character) !== character;

// 3. Segment

/**
 * Returns the minimum number of tokens of a pre-token by the Viterbi algorithm. `costs[end]` is the minimum for the
 * text before `end`. The trie returns all pieces that begin at a position.
 */
function segment(preToken: string, { trie, bytePrefixes }: Vocabulary): number {
  const costs = new Array<number>(preToken.length + 1).fill(Infinity);
  costs[0] = 0;
  for (let start = 0; start < preToken.length; start++) {
    const cost = costs[start]!;
    const relax = (end: number, tokens: number): void => {
      costs[end] = Math.min(costs[end]!, cost + tokens);
    };
    const character = String.fromCodePoint(preToken.codePointAt(start)!);
    relax(start + character.length, byteFallback(character, bytePrefixes));
    let node = trie.children.get(preToken[start]!);
    for (let end = start + 1; node !== undefined; end++) {
      if (node.isPiece) relax(end, 1);
      node = end < preToken.length ? node.children.get(preToken[end]!) : undefined;
    }
  }
  return costs[preToken.length]!;
}

/** Returns the tokens of a character outside all pieces: its UTF-8 bytes, whose longest known prefix is one token. */
function byteFallback(character: string, bytePrefixes: ReadonlySet<string>): number {
  const bytes = [...new TextEncoder().encode(character)].map((byte) => byte.toString(16).padStart(2, '0'));
  for (let length = bytes.length; length > 1; length--)
    if (bytePrefixes.has(bytes.slice(0, length).join(''))) return bytes.length - length + 1;
  return bytes.length;
}

declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/** Decodes front-coded pieces. Each begins with the number of characters that it shares with the piece before. */
function loadVocabulary(name: 'v3' | 'v4.7'): Vocabulary {
  const data = name === 'v3' ? v3 : v47;
  const trie: TrieNode = { children: new Map(), isPiece: false };
  let piece = '';
  for (const entry of data.pieces.split('\x01').slice(0, -1)) {
    piece = piece.slice(0, entry.charCodeAt(0) - 0x30) + entry.slice(1);
    insert(trie, piece);
  }
  for (const correction of corrections) if (correction.family === name) insert(trie, correction.piece);
  const prefixes = prefixCorrections.filter(({ family }) => family === name).map(({ prefix }) => prefix);
  return {
    isV3: name === 'v3',
    trie,
    bytePrefixes: new Set([...data.bytePrefixes.split(' '), ...prefixes]),
    cache: new Map(),
  };
}

function insert(trie: TrieNode, piece: string): void {
  let node = trie;
  for (let at = 0; at < piece.length; at++) {
    let child = node.children.get(piece[at]!);
    if (child === undefined) {
      child = { children: new Map(), isPiece: false };
      node.children.set(piece[at]!, child);
    }
    node = child;
  }
  node.isPiece = true;
}
