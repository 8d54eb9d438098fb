/**
 * A probe puts one piece between characters of known cost, so that the total reveals the cost of the piece. The runic
 * letter U+16D2 and the Glagolitic U+2C00 are in no piece, so no segment crosses them.
 */
import { ALL_CAPS, CAPITAL, CLOSE, OPEN, markStream, normalize, type Vocabulary } from './marked-stream.ts';
import { SPACE, WORD, unitClass, unitUpperCase } from './character-classes.ts';

export const INERT = '\u16d2';
export const INERT_CAPITAL = '\u2c00';
const INERT_LOWER = '\u2c30';

const open = String.fromCharCode(OPEN);
const close = String.fromCharCode(CLOSE);

interface Surrounding {
  text: string;
  stream: string;
  tokens: number;
}
const createSurrounding = (text: string, stream: string, tokens: number): Surrounding => ({ text, stream, tokens });

const LEFTS = {
  opened: createSurrounding('q ', `${open}q${close}`, 1),
  word: createSurrounding(INERT, open + INERT, 4),
  touching: createSurrounding('q', `${open}q${close}`, 1),
  han: createSurrounding('\u4e2d', `${open}\u4e2d`, 2),
};
const RIGHTS = {
  closed: createSurrounding(' b', `${open}b${close}`, 1),
  word: createSurrounding(INERT, INERT + close, 4),
  touching: createSurrounding('b', `${open}b${close}`, 1),
  capital: createSurrounding(INERT_CAPITAL + INERT, INERT_CAPITAL + INERT + close, 7),
  capitals: createSurrounding(INERT_CAPITAL.repeat(3), INERT_LOWER.repeat(3) + close, 10),
  han: createSurrounding('\u4e2d', '\u4e2d', 1),
};

/** A text whose stream contains the piece, and the cost of everything else in it. */
interface Probe {
  text: string;
  surroundingTokens: number;
}

function toText(stream: Uint16Array): string {
  let result = '';
  for (const unit of stream) result += String.fromCharCode(unit);
  return result;
}

function getBody(piece: string): string {
  const caseMarker = piece.charCodeAt(0);
  const isCased = caseMarker === CAPITAL || caseMarker === ALL_CAPS;
  const uncasedStart = caseMarker === OPEN ? 1 : 0;
  const body = piece.slice(isCased ? 2 : uncasedStart, piece.endsWith(close) ? -1 : undefined);
  if (!isCased) return body;
  let upper = '';
  for (let index = 0; index < body.length; index++) {
    const unit = body.charCodeAt(index);
    upper += String.fromCharCode(caseMarker === ALL_CAPS || index === 0 ? unitUpperCase[unit] || unit : unit);
  }
  return upper;
}

function listSurroundings(piece: string, body: string): [Surrounding[], Surrounding[]] {
  const firstKind = unitClass[body.charCodeAt(0)];
  const lastKind = unitClass[body.charCodeAt(body.length - 1)];
  const hasOpenMarker = piece.charCodeAt(0) >= OPEN && piece.charCodeAt(0) <= ALL_CAPS;
  const hasCloseMarker = piece.endsWith(close);
  let leftCandidates = [LEFTS.touching];
  if (hasOpenMarker) leftCandidates = [LEFTS.opened];
  else if (firstKind === WORD) leftCandidates = [LEFTS.word];
  else if (firstKind === SPACE) leftCandidates = [LEFTS.touching, LEFTS.han];
  let rightCandidates = [RIGHTS.touching, RIGHTS.han];
  if (hasCloseMarker) rightCandidates = [RIGHTS.closed];
  else if (lastKind === WORD)
    rightCandidates = piece.charCodeAt(0) === ALL_CAPS ? [RIGHTS.capitals] : [RIGHTS.word, RIGHTS.capital];
  return [leftCandidates, rightCandidates];
}

/**
 * Builds the probe of a string over the marked stream. Returns undefined if no text produces the string in isolation.
 */
export function findProbe(piece: string, vocabulary: Vocabulary): Probe | undefined {
  const body = getBody(piece);
  if (body === '') return undefined;
  const [leftCandidates, rightCandidates] = listSurroundings(piece, body);
  for (const left of leftCandidates) {
    for (const right of rightCandidates) {
      const text = left.text + body + right.text;
      if (toText(markStream(normalize(text, vocabulary), vocabulary)) !== getLeftStream(left) + piece + right.stream)
        continue;
      return { text, surroundingTokens: left.tokens + right.tokens };
    }
  }
  return undefined;
}

/** The package's frame adds `[` to a text that does not open a word itself. Our writer leaves that to the caller. */
function getLeftStream(left: Surrounding): string {
  return left === LEFTS.han ? '\u4e2d' : left.stream;
}
