/** Finds single pieces that explain texts recorded lower than our count, without contradicting any other record. */
import { isSplitPoint } from './marked-stream.ts';
import type { Pieces } from './viterbi.ts';

const MAX_PIECE_LENGTH = 24;

/** One recorded text: its marked stream, and our count minus the recorded one. */
export interface CountEvidence {
  id: string;
  stream: Uint16Array;
  excess: number;
}

/** A piece that would lower the count of some witnesses, never below the recorded count. */
interface Proposal {
  piece: string;
  /** Saved tokens by witness. */
  savedTokensById: Map<string, number>;
}

/** Splits a marked stream into parts that no piece crosses. */
export function splitStream(stream: Uint16Array): string[] {
  const chunks: string[] = [];
  let chunk = '';
  for (let index = 0; index < stream.length; index++) {
    if (chunk !== '' && isSplitPoint(stream, index)) {
      chunks.push(chunk);
      chunk = '';
    }
    chunk += String.fromCharCode(stream[index] ?? 0);
  }
  if (chunk !== '') chunks.push(chunk);
  return chunks;
}

/** Returns the tokens that a part would save if the units from `start` to `end` were one piece. */
function computeGain(pieces: Pieces, units: Uint16Array, start: number, end: number): number {
  return pieces.countTokens(units) - pieces.countTokens(units, 0, start) - 1 - pieces.countTokens(units, end);
}

/** Returns the tokens that a part of a stream would save if the units from `start` to `end` were one piece. */
export function computeGainOfChunk(pieces: Pieces, chunk: string, start: number, end: number): number {
  return computeGain(pieces, toUnits(chunk), start, end);
}

function toUnits(chunk: string): Uint16Array {
  return Uint16Array.from({ length: chunk.length }, (_, index) => chunk.charCodeAt(index));
}

function* listSubstrings(chunk: string): Generator<[number, number]> {
  for (let start = 0; start < chunk.length - 1; start++) {
    for (let end = start + 2; end <= Math.min(chunk.length, start + MAX_PIECE_LENGTH); end++) yield [start, end];
  }
}

function collectProposals(pieces: Pieces, evidenceList: readonly CountEvidence[]): Map<string, Proposal> {
  const proposals = new Map<string, Proposal>();
  for (const { id, stream, excess } of evidenceList) {
    const saved = new Map<string, number>();
    for (const chunk of splitStream(stream)) {
      const units = toUnits(chunk);
      for (const [start, end] of listSubstrings(chunk)) {
        const gained = computeGain(pieces, units, start, end);
        if (gained > 0) saved.set(chunk.slice(start, end), (saved.get(chunk.slice(start, end)) ?? 0) + gained);
      }
    }
    for (const [piece, tokens] of saved) {
      const proposal = proposals.get(piece) ?? { piece, savedTokensById: new Map<string, number>() };
      proposals.set(piece, proposal);
      proposal.savedTokensById.set(id, tokens > excess ? Infinity : tokens);
    }
  }
  for (const [piece, { savedTokensById }] of proposals)
    if ([...savedTokensById.values()].includes(Infinity)) proposals.delete(piece);
  return proposals;
}

/**
 * Returns proposals for all witnesses with an excess, without those that would make the count of a correct text too
 * low.
 */
export function proposeCorrections(pieces: Pieces, evidenceList: readonly CountEvidence[]): Proposal[] {
  const proposals = collectProposals(
    pieces,
    evidenceList.filter((evidence) => evidence.excess > 0),
  );
  const seen = new Set<string>();
  for (const { stream, excess } of evidenceList) {
    if (excess !== 0) continue;
    for (const chunk of splitStream(stream)) {
      if (seen.has(chunk)) continue;
      seen.add(chunk);
      let units: Uint16Array | undefined;
      for (const [start, end] of listSubstrings(chunk)) {
        const candidate = chunk.slice(start, end);
        if (!proposals.has(candidate)) continue;
        units ??= toUnits(chunk);
        if (computeGain(pieces, units, start, end) > 0) proposals.delete(candidate);
      }
    }
  }
  return [...proposals.values()].sort((a, b) => b.savedTokensById.size - a.savedTokensById.size);
}
