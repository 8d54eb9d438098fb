/** Kinds of runs. A text is first split into runs of adjacent units of one kind, which are counted by one rule. */
import { unitNormalizationFlags, unitClass, PLAIN, SPACE, WORD } from './characters.ts';

export const RUN_WORD = 0;
export const RUN_SPACE = 1;
/** ASCII digits. */
export const RUN_DIGITS = 2;
/** PLAIN units outside all longer pieces, and such surrogate pairs. Their tokens are added one by one. */
export const RUN_LONE = 3;
export const RUN_ASTRAL = 4;
/** All other units: punctuation, symbols, marks, numbers, and units adjacent to them. */
const RUN_SYMBOLS = 5;

export const RUN_MASK = 7;

/** Returns the kind of run and the normalization flags (NEEDS_*) of every unit, in one byte. */
export function computeUnitFlags(joinFlags: Uint8Array): Uint8Array {
  const surrogatesJoin = joinFlags.subarray(0xd800, 0xe000).some((bits) => bits !== 0);
  const unitFlags = new Uint8Array(joinFlags.length);
  for (let unit = 0; unit < unitFlags.length; unit++)
    unitFlags[unit] = unitNormalizationFlags[unit]! | getRunKind(unit, joinFlags[unit] !== 0, surrogatesJoin);
  return unitFlags;
}

function getRunKind(unit: number, isJoining: boolean, surrogatesJoin: boolean): number {
  const kind = unitClass[unit];
  if (kind === WORD) return RUN_WORD;
  if (kind === SPACE) return RUN_SPACE;
  if (unit >= 0x30 && unit <= 0x39) return RUN_DIGITS;
  if (unit >= 0xd800 && unit <= 0xdfff) return surrogatesJoin ? RUN_SYMBOLS : RUN_ASTRAL;
  return kind === PLAIN && !isJoining ? RUN_LONE : RUN_SYMBOLS;
}
