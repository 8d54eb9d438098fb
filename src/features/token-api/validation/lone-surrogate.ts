const BACKSLASH = 0x5c;
const PAIR_ESCAPE_LENGTH = 12;

/**
 * Returns an unpaired surrogate escape in the words of the real API. `JSON.parse` accepts such an escape. Expects valid
 * JSON. Takes linear time, and only a search for `\\u` if there is none.
 */
export function findLoneSurrogate(bytes: Buffer): string | undefined {
  for (let at = bytes.indexOf('\\u'); at >= 0; at = bytes.indexOf('\\u', at)) {
    const unit = isEscaped(bytes, at) ? 0 : readEscapedUnit(bytes, at);
    if (unit >= 0xdc00 && unit <= 0xdfff) return formatPosition(bytes, at, 'no high surrogate in string');
    if (unit < 0xd800 || unit > 0xdfff) {
      at += 2;
      continue;
    }
    const low = bytes[at + 6] === BACKSLASH && bytes[at + 7] === 0x75 ? readEscapedUnit(bytes, at + 6) : 0;
    if (low < 0xdc00 || low > 0xdfff) return formatPosition(bytes, at, 'no low surrogate in string');
    at += PAIR_ESCAPE_LENGTH;
  }
  return undefined;
}

function isEscaped(bytes: Buffer, at: number): boolean {
  let backslashStart = at;
  while (bytes[backslashStart - 1] === BACKSLASH) backslashStart -= 1;
  return (at - backslashStart) % 2 === 1;
}

function readEscapedUnit(bytes: Buffer, at: number): number {
  return Number.parseInt(bytes.toString('latin1', at + 2, at + 6), 16);
}

function formatPosition(bytes: Buffer, at: number, description: string): string {
  const before = bytes.subarray(0, at);
  let line = 1;
  for (const byte of before) if (byte === 0x0a) line += 1;
  return `${description}: line ${line} column ${at - before.lastIndexOf(0x0a)}`;
}
