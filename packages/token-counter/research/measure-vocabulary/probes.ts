/**
 * A probe puts one piece between surroundings of known price, so that the whole count tells the piece's own price.
 * The runic letter U+16D2 and the Glagolitic U+2C00 are no pieces and stand in none: nothing tiles across them.
 */
import { ALL_CAPS, CAPITAL, CLOSE, OPEN, mark, normalise, type Vocabulary } from './marked-stream.ts';
import { SPACE, WORD, classes, upperOf } from './character-classes.ts';

export const INERT = '\u16d2';
export const INERT_CAPITAL = '\u2c00';
const INERT_LOWER = '\u2c30';

const open = String.fromCharCode(OPEN);
const close = String.fromCharCode(CLOSE);

interface Surrounding {
  text: string;
  stream: string;
  price: number;
}
const surrounding = (text: string, stream: string, price: number): Surrounding => ({ text, stream, price });

const LEFTS = {
  opened: surrounding('q ', `${open}q${close}`, 1),
  word: surrounding(INERT, open + INERT, 4),
  touching: surrounding('q', `${open}q${close}`, 1),
  han: surrounding('\u4e2d', `${open}\u4e2d`, 2),
};
const RIGHTS = {
  closed: surrounding(' b', `${open}b${close}`, 1),
  word: surrounding(INERT, INERT + close, 4),
  touching: surrounding('b', `${open}b${close}`, 1),
  capital: surrounding(INERT_CAPITAL + INERT, INERT_CAPITAL + INERT + close, 7),
  capitals: surrounding(INERT_CAPITAL.repeat(3), INERT_LOWER.repeat(3) + close, 10),
  han: surrounding('\u4e2d', '\u4e2d', 1),
};

/** A text whose stream holds the piece, and what everything but the piece costs in it. */
interface Probe {
  text: string;
  surroundings: number;
}

function asString(stream: Uint16Array): string {
  let result = '';
  for (const unit of stream) result += String.fromCharCode(unit);
  return result;
}

function bodyOf(piece: string): string {
  const caseMarker = piece.charCodeAt(0);
  const cased = caseMarker === CAPITAL || caseMarker === ALL_CAPS;
  const body = piece.slice(cased ? 2 : caseMarker === OPEN ? 1 : 0, piece.endsWith(close) ? -1 : undefined);
  if (!cased) return body;
  let upper = '';
  for (let index = 0; index < body.length; index++) {
    const unit = body.charCodeAt(index);
    upper += String.fromCharCode(caseMarker === ALL_CAPS || index === 0 ? upperOf[unit] || unit : unit);
  }
  return upper;
}

function surroundingsFor(piece: string, body: string): [Surrounding[], Surrounding[]] {
  const firstKind = classes[body.charCodeAt(0)];
  const lastKind = classes[body.charCodeAt(body.length - 1)];
  const opens = piece.charCodeAt(0) >= OPEN && piece.charCodeAt(0) <= ALL_CAPS;
  const closes = piece.endsWith(close);
  const lefts = opens
    ? [LEFTS.opened]
    : firstKind === WORD
      ? [LEFTS.word]
      : firstKind === SPACE
        ? [LEFTS.touching, LEFTS.han]
        : [LEFTS.touching];
  let rights = [RIGHTS.touching, RIGHTS.han];
  if (closes) rights = [RIGHTS.closed];
  else if (lastKind === WORD)
    rights = piece.charCodeAt(0) === ALL_CAPS ? [RIGHTS.capitals] : [RIGHTS.word, RIGHTS.capital];
  return [lefts, rights];
}

/** Builds the probe of a string over the marked stream; undefined when no text writes it in isolation. */
export function probeFor(piece: string, vocabulary: Vocabulary): Probe | undefined {
  const body = bodyOf(piece);
  if (body === '') return undefined;
  const [lefts, rights] = surroundingsFor(piece, body);
  for (const left of lefts) {
    for (const right of rights) {
      const text = left.text + body + right.text;
      if (asString(mark(normalise(text, vocabulary), vocabulary)) !== frameOf(left) + piece + right.stream) continue;
      return { text, surroundings: left.price + right.price };
    }
  }
  return undefined;
}

/** The package's frame hands `[` to a text that does not open a word itself; our writer leaves that to the caller. */
function frameOf(left: Surrounding): string {
  return left === LEFTS.han ? '\u4e2d' : left.stream;
}
