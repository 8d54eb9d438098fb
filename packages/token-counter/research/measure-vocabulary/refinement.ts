/** Stage 4: what the pieces found so far suggest: their parts, their joins, their other positions and capitals. */
import { classes, SPACE, WORD } from './character-classes.ts';
import { bareBody, formsOf } from './forms.ts';
import { CLOSE, OPEN } from './marked-stream.ts';
import type { Measurement } from './measurement.ts';
import { INERT } from './probes.ts';
import { SeenFilter } from './seen-filter.ts';
import { Batch } from './short-strings.ts';

function bodies(measurement: Measurement): string[] {
  const all = new Set<string>();
  for (const piece of measurement.pieces.values()) {
    const body = bareBody(piece);
    if (body.length > 1 && classes[body.charCodeAt(0)] !== SPACE) all.add(body).add(body.toLowerCase());
  }
  return [...all];
}

/** Every part of every piece in every position. */
export function measurePieceParts(measurement: Measurement): void {
  const batch = new Batch(measurement);
  const seen = new SeenFilter();
  for (const body of bodies(measurement)) {
    for (let start = 0; start < body.length; start++) {
      for (let end = start + 1; end <= body.length; end++) {
        const part = body.slice(start, end);
        if (part.isWellFormed() && seen.add(part)) batch.add((into) => formsOf(part, measurement.vocabulary, into));
      }
    }
  }
  batch.flush();
}

/** The script that most of a body is written in, for keeping joins inside one script. */
function scriptOf(body: string): string {
  const unit = body.charCodeAt(0);
  if (unit < 0x250) return 'latin';
  return `block ${unit >> 8}`;
}

/**
 * Every opening or inner piece followed by every inner or closing piece of at most `longest` units, script by script.
 */
export function measureJoins(measurement: Measurement, longest: number): void {
  const heads = new Map<string, Set<string>>();
  const tails = new Map<string, Set<string>>();
  for (const piece of measurement.pieces.values()) {
    const body = bareBody(piece);
    if (body === '' || classes[body.charCodeAt(0)] !== WORD || body !== body.toLowerCase()) continue;
    const script = scriptOf(body);
    const opens = piece.charCodeAt(0) <= OPEN;
    if (piece.charCodeAt(piece.length - 1) !== CLOSE && piece.charCodeAt(0) <= 0xffff) collect(heads, script, body);
    if (!opens && body.length <= longest) collect(tails, script, body);
  }
  const batch = new Batch(measurement);
  for (const [script, firsts] of heads) {
    for (const first of firsts) {
      for (const second of tails.get(script) ?? []) {
        const word = first + second;
        batch.add((into) => into.push(word, INERT + word + INERT, word + INERT, INERT + word));
      }
    }
  }
  batch.flush();
}

function collect(map: Map<string, Set<string>>, key: string, value: string): void {
  const set = map.get(key) ?? new Set<string>();
  map.set(key, set.add(value));
}

/** Measures each piece once more, alone. Returns those that do not cost exactly one; a sound run returns none. */
export function verify(measurement: Measurement): string[] {
  const wrong: string[] = [];
  for (const piece of measurement.pieces.values()) {
    if (bareBody(piece) !== '' && measurement.priceOf(piece) !== 1) wrong.push(piece);
  }
  return wrong;
}
