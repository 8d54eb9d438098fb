/**
 * Which single pieces could explain texts that are recorded lower than we count them, without contradicting any other
 * record.
 */
import { isCut } from './marked-stream.ts';
import type { Pieces } from './tiling.ts';

const LONGEST = 24;

/** One recorded text: its marked stream, and by how much our price is above the recorded one. */
export interface Witness {
  id: string;
  stream: Uint16Array;
  excess: number;
}

/** A piece that would lower the price of some witnesses, never below what is recorded. */
interface Proposal {
  piece: string;
  /** Saved tokens by witness. */
  saves: Map<string, number>;
}

/** A marked stream in parts that no piece crosses. */
export function partsOf(stream: Uint16Array): string[] {
  const parts: string[] = [];
  let part = '';
  for (let index = 0; index < stream.length; index++) {
    if (part !== '' && isCut(stream, index)) {
      parts.push(part);
      part = '';
    }
    part += String.fromCharCode(stream[index] ?? 0);
  }
  if (part !== '') parts.push(part);
  return parts;
}

/** Tokens that `part` would save if the units from `start` to `end` were one piece. */
function gain(pieces: Pieces, units: Uint16Array, start: number, end: number): number {
  return pieces.price(units) - pieces.price(units, 0, start) - 1 - pieces.price(units, end);
}

/** Tokens that a part of a stream would save if the units from `start` to `end` were one piece. */
export function gainOf(pieces: Pieces, part: string, start: number, end: number): number {
  return gain(pieces, unitsOf(part), start, end);
}

function unitsOf(part: string): Uint16Array {
  return Uint16Array.from({ length: part.length }, (_, index) => part.charCodeAt(index));
}

function* substrings(part: string): Generator<[number, number]> {
  for (let start = 0; start < part.length - 1; start++) {
    for (let end = start + 2; end <= Math.min(part.length, start + LONGEST); end++) yield [start, end];
  }
}

function collect(pieces: Pieces, witnesses: readonly Witness[]): Map<string, Proposal> {
  const proposals = new Map<string, Proposal>();
  for (const { id, stream, excess } of witnesses) {
    const saved = new Map<string, number>();
    for (const part of partsOf(stream)) {
      const units = unitsOf(part);
      for (const [start, end] of substrings(part)) {
        const gained = gain(pieces, units, start, end);
        if (gained > 0) saved.set(part.slice(start, end), (saved.get(part.slice(start, end)) ?? 0) + gained);
      }
    }
    for (const [piece, tokens] of saved) {
      const proposal = proposals.get(piece) ?? { piece, saves: new Map<string, number>() };
      proposals.set(piece, proposal);
      proposal.saves.set(id, tokens > excess ? Infinity : tokens);
    }
  }
  for (const [piece, { saves }] of proposals) if ([...saves.values()].includes(Infinity)) proposals.delete(piece);
  return proposals;
}

/** Proposals for all witnesses with an excess, less those that would make a text that is right as it is too low. */
export function proposeCorrections(pieces: Pieces, witnesses: readonly Witness[]): Proposal[] {
  const proposals = collect(
    pieces,
    witnesses.filter((witness) => witness.excess > 0),
  );
  const seen = new Set<string>();
  for (const { stream, excess } of witnesses) {
    if (excess !== 0) continue;
    for (const part of partsOf(stream)) {
      if (seen.has(part)) continue;
      seen.add(part);
      let units: Uint16Array | undefined;
      for (const [start, end] of substrings(part)) {
        const candidate = part.slice(start, end);
        if (proposals.has(candidate) && gain(pieces, (units ??= unitsOf(part)), start, end) > 0)
          proposals.delete(candidate);
      }
    }
  }
  return [...proposals.values()].sort((a, b) => b.saves.size - a.saves.size);
}
