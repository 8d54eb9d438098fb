/** The pieces of a vocabulary, decoded from front-coded text into one flat array. */
export interface Pieces {
  readonly count: number;
  /** All pieces concatenated, in ascending order of their units. */
  readonly units: Uint16Array;
  /** Piece k is `units[starts[k] … starts[k + 1])`. */
  readonly starts: Int32Array;
}

const END_OF_PIECE = 0x01;
const HEADER_ZERO = 0x30;

/**
 * Decodes `encoded`. Each piece has one header character (0x30 + the number of units shared with the piece before, at
 * most 40), the rest of the piece, and U+0001. `additions` are hand-maintained pieces that are merged in. The result is
 * sorted and has no duplicates.
 */
export function decodePieces(encoded: string, additions: readonly string[]): Pieces {
  if (additions.length > 0) return mergePieces(decodePieces(encoded, []), additions);
  let count = 0;
  let total = 0;
  for (let i = 0, header = true; i < encoded.length; i++) {
    const unit = encoded.charCodeAt(i);
    if (header) total += unit - HEADER_ZERO;
    else if (unit === END_OF_PIECE) count++;
    else total++;
    header = !header && unit === END_OF_PIECE;
  }
  const units = new Uint16Array(total);
  const starts = new Int32Array(count + 1);
  let piece = 0;
  let at = 0;
  let previous = 0;
  for (let i = 0; i < encoded.length; piece++) {
    const shared = encoded.charCodeAt(i++) - HEADER_ZERO;
    starts[piece] = at;
    units.copyWithin(at, previous, previous + shared);
    previous = at;
    at += shared;
    for (let unit = encoded.charCodeAt(i++); unit !== END_OF_PIECE; unit = encoded.charCodeAt(i++)) units[at++] = unit;
  }
  starts[count] = total;
  return { count, units, starts };
}

/** Returns the piece as a string with its markers. */
export function pieceAt(pieces: Pieces, index: number): string {
  let piece = '';
  for (let k = pieces.starts[index]!; k < pieces.starts[index + 1]!; k++)
    piece += String.fromCharCode(pieces.units[k]!);
  return piece;
}

/** Merges a few pieces into many. Each position is found by bisection, and the pieces between are copied at once. */
function mergePieces(pieces: Pieces, additions: readonly string[]): Pieces {
  const candidates = [...new Set(additions)]
    .sort((a, b) => (a < b ? -1 : 1))
    .map((piece) => ({ piece, pieceIndex: findPieceIndex(pieces, piece) }));
  const missing = candidates.filter(
    ({ piece, pieceIndex }) => pieceIndex === pieces.count || pieceAt(pieces, pieceIndex) !== piece,
  );
  const units = new Uint16Array(missing.reduce((sum, { piece }) => sum + piece.length, pieces.units.length));
  const starts = new Int32Array(pieces.count + missing.length + 1);
  let count = 0;
  let end = 0;
  let copiedCount = 0;
  const copyUntil = (pieceIndex: number): void => {
    const from = pieces.starts[copiedCount]!;
    const shift = end - from;
    units.set(pieces.units.subarray(from, pieces.starts[pieceIndex]), end);
    end += pieces.starts[pieceIndex]! - from;
    for (; copiedCount < pieceIndex; copiedCount++) starts[count++] = pieces.starts[copiedCount]! + shift;
  };
  for (const { piece, pieceIndex } of missing) {
    copyUntil(pieceIndex);
    starts[count++] = end;
    for (let k = 0; k < piece.length; k++) units[end++] = piece.charCodeAt(k);
  }
  copyUntil(pieces.count);
  starts[count] = end;
  return { count, units, starts };
}

/** Returns the index of the first piece that is not less than `piece`. */
function findPieceIndex(pieces: Pieces, piece: string): number {
  let low = 0;
  let high = pieces.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pieceAt(pieces, middle) < piece) low = middle + 1;
    else high = middle;
  }
  return low;
}
