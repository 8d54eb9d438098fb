/**
 * The rules once more, for tests only: strings, sets and regular expressions, one step after the other, no table, no
 * cache, no shortcut. It shares the piece list and the class table with the counter (both are checked elsewhere), and
 * no code.
 */
import { corrections, prefixCorrections } from '../data/corrections.ts';
import * as newer from '../data/vocabulary-v4_7.js';
import * as older from '../data/vocabulary-v3.js';
import { classRuns } from '../data/character-table.ts';
import type { TextFamily } from '../src/tokenizer/families.ts';
import { slowCase } from './slow-case.ts';
import { slowTiling, type SlowVocabulary } from './slow-tiling.ts';

const letters = [...classRuns.matchAll(/([0-9a-z]+)([A-Z])/g)]
  .map((match) => (match[2] ?? '').repeat(parseInt(match[1] ?? '0', 36)))
  .join('');
/** W, S, P, E, V, D or O; everything above U+FFFF is P. */
const classLetter = (character: string): string =>
  character.length > 1 ? 'P' : (letters[character.charCodeAt(0)] ?? '');
const isEdged = (character: string | undefined): boolean =>
  character !== undefined && 'EVDO'.includes(classLetter(character));

const vocabularies: Readonly<Record<'v3' | 'v4.7', SlowVocabulary>> = {
  v3: load('v3', older),
  'v4.7': load('v4.7', newer),
};

function load(family: 'v3' | 'v4.7', data: { pieces: string; bytePrefixes: string }): SlowVocabulary {
  const pieces = new Set<string>();
  let previous = '';
  for (const entry of data.pieces.split('\u0001').slice(0, -1)) {
    previous = previous.slice(0, entry.charCodeAt(0) - 0x30) + entry.slice(1);
    pieces.add(previous);
  }
  for (const correction of corrections) if (correction.family === family) pieces.add(correction.piece);
  const prefixes = new Set(data.bytePrefixes.split(' '));
  for (const correction of prefixCorrections) if (correction.family === family) prefixes.add(correction.prefix);
  return { pieces, prefixes, longest: Math.max(...[...pieces].map((piece) => piece.length)) };
}

function slowNormalise(text: string, v3: boolean): string {
  let out = text.toWellFormed().normalize('NFC');
  out = out
    .replace(/[\u0001-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
    .replace(/[\ue000-\uf8ff]/g, '')
    .replace(/\0/g, ' ');
  out = out.replace(/\u0e4d\u0e32/g, '\u0e33');
  if (v3) out = out.replace(/[\u2018\u2019]/g, "'").replace(/[\u201c\u201d]/g, '"');
  return out.replace(/[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f]/g, ' ');
}

/** Marks: `\x02` opens, `\x03` closes, `\x04` and `\x05` for case. */
function slowStream(text: string, v3: boolean, frame: boolean): string {
  const characters = [...text];
  const runs: { kind: string; text: string[]; at: number }[] = [];
  characters.forEach((character, at) => {
    const kind = isEdged(character) ? 'E' : classLetter(character);
    const last = runs.at(-1);
    if (last?.kind === kind) last.text.push(character);
    else runs.push({ kind, text: [character], at });
  });
  let stream = '';
  runs.forEach((run, index) => {
    const body = run.text.join('');
    const end = run.at + run.text.length;
    const blankLeft = index === 0 ? frame : characters[run.at - 1] === ' ';
    const blankRight = characters[end] === ' ' && characters[end + 1] !== ' ';
    let written = body;
    if (run.kind === 'W') {
      const contraction =
        /^(?:[stdm]|ll|re|ve)$/.test(body) && characters[run.at - 1] === "'" && !leansOnEdge(characters, run.at - 2);
      written = contraction ? `${body}\x03` : slowCase(body, v3);
    } else if (run.kind === 'E') {
      const apostrophe = body === "'" && runs[index + 1]?.kind === 'W';
      if (blankLeft && !apostrophe && sideTakesMarker(run.text, 0)) written = `\x02${written}`;
      if (blankRight && sideTakesMarker(run.text, run.text.length - 1)) written += '\x03';
    }
    if (index === 0 && frame && !/^[\x04\x05]?\x02/.test(written) && !body.startsWith(' ')) {
      written = (body === "'" && runs[1]?.kind === 'W' ? ' ' : '\x02') + written;
    }
    stream += written;
  });
  return stream.replace(/\x03 (?=[\x04\x05]?\x02)/g, '\x03');
}

/**
 * Numbers at the outer end take a marker where their block (a number and the numbers and selectors behind it) is of one
 * kind.
 */
function sideTakesMarker(run: readonly string[], outer: number): boolean {
  const kinds = run.map(classLetter).join('');
  if (!'DO'.includes(kinds[outer] ?? '')) return true;
  const block = outer === 0 ? /^[DOV]+/.exec(kinds)?.[0] : /[DO][DOV]*$/.exec(kinds)?.[0];
  return /^D+$|^O+$/.test(block ?? '');
}

function leansOnEdge(characters: readonly string[], at: number): boolean {
  const character = characters[at];
  if (character === undefined) return false;
  if (/[\u24b6-\u24e9]/.test(character)) return true;
  if (!isEdged(character)) return false;
  let from = at;
  while (isEdged(characters[from - 1])) from--;
  return sideTakesMarker(characters.slice(from, at + 1), at - from);
}

/** Content count of a text, by the frame of its family. */
export function slowCount(text: string, family: TextFamily): number {
  const v3 = family === 'v3';
  const vocabulary = vocabularies[v3 ? 'v3' : 'v4.7'];
  const tiled = (stream: string): number => slowTiling(stream, vocabulary);
  if (family === 'v5') return tiled(slowStream(slowNormalise(text.replace(/[ \t\n\r\f\v]+$/, ''), v3), v3, false));
  let normal = slowNormalise(text, v3);
  const lineFeeds = /\n*$/.exec(normal)?.[0].length ?? 0;
  normal = normal.slice(0, normal.length - lineFeeds);
  const joined = family === 'v5-sonnet' ? lineFeeds : lineFeeds + 2;
  const tail = lineFeeds > 0 ? tiled('\n'.repeat(joined)) - 1 : 0;
  if (family === 'v5-sonnet') return tail + tiled(slowStream(normal, v3, false));
  if (text.startsWith(' ') && /^ (?! )/.test(normal)) normal = normal.slice(1);
  return tail + (normal === '' ? 1 : tiled(slowStream(normal, v3, true)));
}

/** Count in the middle of a prompt: no frame. */
export function slowCountInside(text: string, family: TextFamily): number {
  const v3 = family === 'v3';
  return slowTiling(slowStream(slowNormalise(text, v3), v3, false), vocabularies[v3 ? 'v3' : 'v4.7']);
}
