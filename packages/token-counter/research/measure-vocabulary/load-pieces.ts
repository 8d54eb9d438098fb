/** Loads a vocabulary of the counter with its corrections, for the segmentation by `Pieces`. */
import { corrections, prefixCorrections } from '../../data/corrections.ts';
import * as v3Data from '../../data/vocabulary-v3.js';
import * as v47Data from '../../data/vocabulary-v4_7.js';
import { decodePieces, pieceAt } from '../../src/tokenizer/pieces.ts';
import { computeByteCosts } from './code-points.ts';
import type { Vocabulary } from './marked-stream.ts';
import { Pieces } from './viterbi.ts';

/** Returns the pieces and the byte costs of a vocabulary. */
export function loadPieces(vocabulary: Vocabulary): Pieces {
  const data = vocabulary === 'v3' ? v3Data : v47Data;
  const pieces = new Pieces();
  const added = corrections.filter(({ family }) => family === vocabulary).map(({ piece }) => piece);
  const decoded = decodePieces(data.pieces, added);
  for (let index = 0; index < decoded.count; index++) pieces.add(pieceAt(decoded, index));
  const prefixes = new Set(data.bytePrefixes.split(' '));
  for (const { family, prefix } of prefixCorrections) if (family === vocabulary) prefixes.add(prefix);
  for (const [codePoint, tokens] of computeByteCosts(prefixes)) pieces.setByteCost(codePoint, tokens);
  return pieces;
}
