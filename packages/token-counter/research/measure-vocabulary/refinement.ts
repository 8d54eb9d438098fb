/** Stage 4: candidates derived from known pieces: their parts, joins, other positions and capitals. */
import { unitClass, SPACE, WORD } from './character-classes.ts';
import { stripMarkers, addForms } from './forms.ts';
import { CLOSE, OPEN } from './marked-stream.ts';
import type { Measurement } from './measurement.ts';
import { INERT } from './probes.ts';
import { BloomFilter } from './bloom-filter.ts';
import { Batch } from './short-strings.ts';

function listBodies(measurement: Measurement): string[] {
  const all = new Set<string>();
  for (const piece of measurement.pieces.values()) {
    const body = stripMarkers(piece);
    if (body.length > 1 && unitClass[body.charCodeAt(0)] !== SPACE) all.add(body).add(body.toLowerCase());
  }
  return [...all];
}

/** Measures every part of every piece in every position. */
export function measurePieceParts(measurement: Measurement): void {
  const batch = new Batch(measurement);
  const seen = new BloomFilter();
  for (const body of listBodies(measurement)) {
    for (let start = 0; start < body.length; start++) {
      for (let end = start + 1; end <= body.length; end++) {
        const substring = body.slice(start, end);
        if (substring.isWellFormed() && seen.add(substring))
          batch.add((forms) => addForms(substring, measurement.vocabulary, forms));
      }
    }
  }
  batch.flush();
}

/** Returns the script of the first character, so that joins stay within one script. */
function getScript(body: string): string {
  const unit = body.charCodeAt(0);
  if (unit < 0x250) return 'latin';
  return `block ${unit >> 8}`;
}

/**
 * Measures every opening or inner piece followed by every inner or closing piece of at most `maxTailLength` units,
 * script by script.
 */
export function measureJoins(measurement: Measurement, maxTailLength: number): void {
  const headsByScript = new Map<string, Set<string>>();
  const tailsByScript = new Map<string, Set<string>>();
  for (const piece of measurement.pieces.values()) {
    const body = stripMarkers(piece);
    if (body === '' || unitClass[body.charCodeAt(0)] !== WORD || body !== body.toLowerCase()) continue;
    const script = getScript(body);
    const hasOpenMarker = piece.charCodeAt(0) <= OPEN;
    if (piece.charCodeAt(piece.length - 1) !== CLOSE) addToSet(headsByScript, script, body);
    if (!hasOpenMarker && body.length <= maxTailLength) addToSet(tailsByScript, script, body);
  }
  const batch = new Batch(measurement);
  for (const [script, firsts] of headsByScript) {
    for (const first of firsts) {
      for (const second of tailsByScript.get(script) ?? []) {
        const word = first + second;
        batch.add((forms) => forms.push(word, INERT + word + INERT, word + INERT, INERT + word));
      }
    }
  }
  batch.flush();
}

function addToSet(map: Map<string, Set<string>>, key: string, value: string): void {
  const set = map.get(key) ?? new Set<string>();
  map.set(key, set.add(value));
}

/** Measures each piece once more in isolation. Returns those that do not cost exactly one. A valid run returns none. */
export function listInvalidPieces(measurement: Measurement): string[] {
  const invalidPieces: string[] = [];
  for (const piece of measurement.pieces.values()) {
    if (stripMarkers(piece) !== '' && measurement.countPieceTokens(piece) !== 1) invalidPieces.push(piece);
  }
  return invalidPieces;
}
