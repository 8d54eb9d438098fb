/**
 * Pieces that recorded counts of the real service require and the measured package lacks. Entered by hand. Each entry
 * needs a record with no other explanation: a fragment recorded as one token is one piece, markers included.
 */

import { recordedV3, recordedV47 } from './recorded-pieces.js';

/** A piece, markers as in the measured data: U+0002 opens a word, U+0003 closes it, U+0004 stands for its capital. */
export interface Correction {
  readonly family: 'v3' | 'v4.7';
  readonly piece: string;
  /** The recorded text and its count. */
  readonly witness: string;
}

/** A byte sequence that opens characters more cheaply than byte by byte, as in the measured `bytePrefixes`. */
export interface PrefixCorrection {
  readonly family: 'v3' | 'v4.7';
  readonly prefix: string;
  readonly witness: string;
}

const byHand: readonly Correction[] = [
  // Two that no candidate text of the run held; the package prices both as one, and no other proposal of these records.
  { family: 'v3', piece: 'azzjoni\u0003', witness: 'udhr mlt is recorded 13 lower than without it' },
  { family: 'v3', piece: '\u0002reședința\u0003', witness: 'udhr ron_1953, ron_1993 and ron_2006 are recorded 2 lower than without it' },
  { family: 'v4.7', piece: '\u0002\ufffd', witness: 'fragments_opus47 " \ufffd" is 1' },
  { family: 'v4.7', piece: '\ufffd\u0003', witness: 'fragments_opus47 "\ufffd " is 1' },
  { family: 'v4.7', piece: '\u0002\ufffd\u0003', witness: 'fragments_opus47 " \ufffd " is 1' },
  { family: 'v4.7', piece: '\ufffd\ufffd', witness: 'fragments_opus47 "\ufffd\ufffd" is 1' },
  { family: 'v4.7', piece: '\ufffd\ufffd\ufffd', witness: 'fragments_opus47 "\ufffd\ufffd\ufffd" is 1' },
  { family: 'v4.7', piece: '\ufffd\ufffd\ufffd\ufffd', witness: 'fragments_opus47 "\ufffd\ufffd\ufffd\ufffd" is 1' },
  { family: 'v4.7', piece: '\u0002\uff0d\u0003', witness: 'fragments_opus47 " \uff0d " is 1' },
  { family: 'v4.7', piece: '\u0002król\u0003', witness: 'fragments_opus47 "król" is 1' },
  { family: 'v4.7', piece: '\u0004\u0002år\u0003', witness: 'fragments_opus47 "År" is 1' },
  { family: 'v4.7', piece: '\u0004\u0002события\u0003', witness: 'fragments_opus47 " События" is 1' },
  { family: 'v4.7', piece: '\u0004\u0002população\u0003', witness: 'fragments_opus47 " População" is 1' },
];

function recorded(family: Correction['family'], pieces: string): Correction[] {
  const known = new Set(byHand.filter((correction) => correction.family === family).map(({ piece }) => piece));
  return pieces
    .split('\u0001')
    .filter((piece) => !known.has(piece))
    .map((piece) => ({ family, piece, witness: 'recorded-pieces.witnesses.json' }));
}

/** By hand, then those that `npx node packages/token-counter/research/measure-vocabulary/recorded-probes.ts` found, each with its recorded probe. */
export const corrections: readonly Correction[] = [
  ...byHand,
  ...recorded('v3', recordedV3),
  ...recorded('v4.7', recordedV47),
];

export const prefixCorrections: readonly PrefixCorrection[] = [
  // Two of its three bytes are one token; every known prefix of a character is its opening bytes.
  { family: 'v4.7', prefix: 'e290', witness: 'fragments_opus47 "\u2423" is 2' },
];
