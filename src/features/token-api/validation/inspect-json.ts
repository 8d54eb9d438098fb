import { MAX_DEPTH } from './body-problems.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Maximum number of objects, arrays and values after a comma. It is ten times the need of 100,000 messages and less
 * than 500 MB when parsed.
 */
const MAX_CONTAINERS = 2_000_000;
const MAX_MEMBERS = 8_000_000;

/** A string value of a JSON text, as the range of its bytes between the quotes. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Minimum length in bytes of a string value that is reported to the caller. */
const LONG_STRING_BYTES = 64 * 1024;

/** Why a JSON text is not parsed. */
type JsonViolation = 'too-deep' | 'too-many-values';

/**
 * Scans a JSON text for nesting beyond `MAX_DEPTH` and for too many values. The text may be invalid JSON. Takes one pass
 * without recursion (about 10 GB/s on long strings) and adds the ranges of long strings to `longStrings`.
 */
export function inspectJson(bytes: Buffer, longStrings: ByteRange[] = []): JsonViolation | undefined {
  /** Whether each open container is an object, the innermost last. */
  const areObjects: boolean[] = [];
  let expectsKey = false;
  let containers = 0;
  let members = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case QUOTE: {
        const end = findStringEnd(bytes, at + 1);
        if (!expectsKey && end - at > LONG_STRING_BYTES) longStrings.push({ start: at + 1, end });
        expectsKey = false;
        at = end;
        break;
      }
      case 0x7b:
      case 0x5b:
        expectsKey = bytes[at] === 0x7b;
        if (areObjects.push(expectsKey) > MAX_DEPTH) return 'too-deep';
        if (++containers > MAX_CONTAINERS) return 'too-many-values';
        break;
      case 0x7d:
      case 0x5d:
        areObjects.pop();
        expectsKey = false;
        break;
      case 0x2c:
        expectsKey = areObjects.at(-1) === true;
        if (++members > MAX_MEMBERS) return 'too-many-values';
        break;
      default:
    }
  }
  return undefined;
}

/** Returns the index of the quote that ends the string at `from`. After 64 bytes it uses the native search. */
function findStringEnd(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length) {
    for (const scanEnd = at + 64; at < scanEnd; at += 1) {
      const byte = bytes[at];
      if (byte === QUOTE) return at;
      if (byte === BACKSLASH) at += 1;
    }
    const quote = bytes.indexOf(QUOTE, at);
    if (quote === -1) return bytes.length;
    let backslashStart = quote;
    while (backslashStart > at && bytes[backslashStart - 1] === BACKSLASH) backslashStart -= 1;
    if ((quote - backslashStart) % 2 === 0) return quote;
    at = quote + 1;
  }
  return bytes.length;
}
