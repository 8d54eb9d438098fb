const BACKSLASH = 0x5c;
const PAIR_ESCAPE_LENGTH = 12;

/**
 * Returns whether a JSON text has a surrogate escape without its pair, which `JSON.parse` accepts. Expects valid JSON.
 * Takes linear time, and only a search for `\\u` if there is none.
 */
export function hasLoneSurrogate(bytes: Buffer): boolean {
  for (let at = bytes.indexOf('\\u'); at >= 0; at = bytes.indexOf('\\u', at)) {
    const unit = isEscaped(bytes, at) ? 0 : readEscapedUnit(bytes, at);
    if (unit >= 0xdc00 && unit <= 0xdfff) return true;
    if (unit < 0xd800 || unit > 0xdfff) {
      at += 2;
      continue;
    }
    const low = bytes[at + 6] === BACKSLASH && bytes[at + 7] === 0x75 ? readEscapedUnit(bytes, at + 6) : 0;
    if (low < 0xdc00 || low > 0xdfff) return true;
    at += PAIR_ESCAPE_LENGTH;
  }
  return false;
}

function isEscaped(bytes: Buffer, at: number): boolean {
  let backslashStart = at;
  while (bytes[backslashStart - 1] === BACKSLASH) backslashStart -= 1;
  return (at - backslashStart) % 2 === 1;
}

function readEscapedUnit(bytes: Buffer, at: number): number {
  return Number.parseInt(bytes.toString('latin1', at + 2, at + 6), 16);
}
