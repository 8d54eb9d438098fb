/** Loads a vocabulary of the counter with its corrections, for the segmentation by `Pieces`. */
import { corrections, prefixCorrections } from '../../data/corrections.ts';
import * as v3Data from '../../data/vocabulary-v3.js';
import * as v47Data from '../../data/vocabulary-v4_7.js';
import { computeByteCosts } from './code-points.ts';
import type { Vocabulary } from './marked-stream.ts';
import { Pieces } from './viterbi.ts';
import { decodePieces } from './write-data.ts';

/** Returns the pieces and the byte costs of a vocabulary. */
export function loadPieces(vocabulary: Vocabulary): Pieces {
  const data = vocabulary === 'v3' ? v3Data : v47Data;
  const pieces = new Pieces();
  for (const piece of decodePieces(data.pieces)) pieces.add(piece);
  for (const { family, piece } of corrections) if (family === vocabulary) pieces.add(piece);
  const prefixes = new Set(data.bytePrefixes.split(' '));
  for (const { family, prefix } of prefixCorrections) if (family === vocabulary) prefixes.add(prefix);
  for (const [codePoint, tokens] of computeByteCosts(prefixes)) pieces.setByteCost(codePoint, tokens);
  return pieces;
}
