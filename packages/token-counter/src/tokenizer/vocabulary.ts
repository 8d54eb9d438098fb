/** A vocabulary prepared for counting: trie, costs of single characters, white space, and split information. */
import { type Correction, corrections, type PrefixCorrection, prefixCorrections } from '../../data/corrections.ts';
import * as newer from '../../data/vocabulary-v4_7.js';
import * as older from '../../data/vocabulary-v3.js';
import { SPACE_CHARACTER, IDEOGRAPHIC_SPACE, LINE_FEED, TAB } from './markers.ts';
import { decodePieces, type Pieces } from './pieces.ts';
import { createRepeatCost, type RepeatCost } from './repeat-cost.ts';
import { computeUnitFlags } from './run-kinds.ts';
import { buildTrie, type Trie } from './trie.ts';

export type VocabularyName = 'v3' | 'v4.7';

/** Flags of `joinFlags`: the unit precedes another one in some piece, or follows another one. */
export const JOINS_NEXT = 1;
export const JOINS_PREVIOUS = 2;

/** Costs of characters outside all pieces: the UTF-8 bytes minus the savings of a known prefix. */
interface CharacterCosts {
  /** Cost of every unit of the basic plane. */
  readonly unit: Uint8Array;
  /** Cost of a character above the basic plane, by code point >> 6 (its first three bytes). */
  readonly astral: Uint8Array;
}

export interface Vocabulary {
  /** Whether this is the older vocabulary, which converts curly quotes and has a marker for words in capitals. */
  readonly isV3: boolean;
  /** Costs of single characters, which are 1 for pieces. */
  readonly costs: CharacterCosts;
  readonly trie: Trie;
  /** No piece crosses from a unit without JOINS_NEXT or into a unit without JOINS_PREVIOUS. */
  readonly joinFlags: Uint8Array;
  /** Kind of run (`run-kinds.ts`) and normalization flags of every unit. */
  readonly unitFlags: Uint8Array;
  readonly spaces: RepeatCost;
  readonly tabs: RepeatCost;
  readonly lineFeeds: RepeatCost;
  readonly ideographicSpaces: RepeatCost;
}

/** Hand-maintained additions to the measured data. Comparisons with the measured package use only some of them. */
interface VocabularyAdditions {
  readonly pieces: readonly Correction[];
  readonly prefixes: readonly PrefixCorrection[];
}

const dataByName = { v3: older, 'v4.7': newer };
const allAdditions: VocabularyAdditions = { pieces: corrections, prefixes: prefixCorrections };

/** Returns the measured pieces merged with the hand-maintained corrections. */
export function decodeVocabularyPieces(name: VocabularyName, additions = allAdditions): Pieces {
  const added = additions.pieces.filter(({ family }) => family === name).map(({ piece }) => piece);
  return decodePieces(dataByName[name].pieces, added);
}

/** Returns the measured byte prefixes with the hand-maintained corrections. */
function joinBytePrefixes(name: VocabularyName, additions: VocabularyAdditions): string {
  const added = additions.prefixes.filter(({ family }) => family === name).map(({ prefix }) => prefix);
  return [dataByName[name].bytePrefixes, ...added].join(' ');
}

/** Loads a vocabulary. Each call returns a new one. */
export function loadVocabulary(name: VocabularyName, additions = allAdditions): Vocabulary {
  const pieces = decodeVocabularyPieces(name, additions);
  const costs = computeCharacterCosts(joinBytePrefixes(name, additions));
  const joinFlags = new Uint8Array(0x10000);
  const lengths = new Map<number, number[]>(
    [SPACE_CHARACTER, TAB, LINE_FEED, IDEOGRAPHIC_SPACE].map((unit) => [unit, []]),
  );
  const { units, starts, count } = pieces;
  for (let k = 0; k < count; k++) {
    const last = starts[k + 1]! - 1;
    const first = units[starts[k]!]!;
    if (last === starts[k]) costs.unit[first] = 1;
    if (first <= SPACE_CHARACTER || first === IDEOGRAPHIC_SPACE) lengths.get(first)?.push(last + 1 - starts[k]!);
    for (let at = starts[k]!; at < last; at++) {
      joinFlags[units[at]!]! |= JOINS_NEXT;
      joinFlags[units[at + 1]!]! |= JOINS_PREVIOUS;
    }
  }
  const createCost = (unit: number): RepeatCost => createRepeatCost(lengths.get(unit) ?? []);
  return {
    isV3: name === 'v3',
    costs,
    trie: buildTrie(pieces),
    joinFlags,
    unitFlags: computeUnitFlags(joinFlags),
    spaces: createCost(SPACE_CHARACTER),
    tabs: createCost(TAB),
    lineFeeds: createCost(LINE_FEED),
    ideographicSpaces: createCost(IDEOGRAPHIC_SPACE),
  };
}

/**
 * Computes the costs of characters. `bytePrefixes` are byte sequences that are pieces, in lower-case hexadecimal,
 * separated by spaces. The longest match is used.
 */
function computeCharacterCosts(bytePrefixes: string): CharacterCosts {
  const unit = new Uint8Array(0x10000).fill(3);
  unit.fill(2, 0, 0x800).fill(1, 0, 0x80);
  const astral = new Uint8Array(0x110000 >> 6).fill(4);
  const prefixes = bytePrefixes.split(' ').filter((hex) => hex.length > 2);
  prefixes.sort((a, b) => a.length - b.length);
  for (const hex of prefixes) {
    const lead = parseInt(hex.slice(0, 2), 16);
    const prefixBytes = hex.length / 2;
    let length = 2;
    if (lead >= 0xf0) length = 4;
    else if (lead >= 0xe0) length = 3;
    let first = lead & (0xff >> (length + 1));
    for (let k = 2; k < hex.length; k += 2) first = (first << 6) | (parseInt(hex.slice(k, k + 2), 16) & 0x3f);
    const remainingBits = 6 * (length - prefixBytes);
    const cost = length - (prefixBytes - 1);
    if (length === 4) astral.fill(cost, (first << remainingBits) >> 6, ((first + 1) << remainingBits) >> 6);
    else unit.fill(cost, first << remainingBits, (first + 1) << remainingBits);
  }
  return { unit, astral };
}
