import { MAX_DEPTH } from './body-problems.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Maximum number of keys that are compared one by one. Larger objects use a set. */
const MAX_LINEAR_KEYS = 8;

/** Keys of one open object: their byte ranges, or a set if there are many keys or a key has escapes. */
interface OpenObject {
  starts: number[];
  ends: number[];
  names: Set<string> | undefined;
}

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

/** JSON that `JSON.parse` accepts silently. */
type JsonViolation = { kind: 'too-deep' } | { kind: 'too-many-values' } | { kind: 'repeated-key'; key: string };

/**
 * Scans a JSON text for nesting beyond `MAX_DEPTH`, too many values, and repeated keys in one object. `JSON.parse`
 * would use the last repeated key. The text may be invalid JSON. Takes one pass without recursion (about 10 GB/s on
 * long strings) and adds the ranges of long strings to `longStrings`.
 */
export function inspectJson(bytes: Buffer, longStrings: ByteRange[] = []): JsonViolation | undefined {
  const openContainers: (OpenObject | null)[] = [];
  let current: OpenObject | null = null;
  let expectsKey = false;
  let containers = 0;
  let members = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case QUOTE: {
        const end = findStringEnd(bytes, at + 1);
        if (expectsKey && current && isRepeatedKey(current, bytes, at + 1, end))
          return { kind: 'repeated-key', key: decodeName(bytes, at + 1, end) };
        if (!expectsKey && end - at > LONG_STRING_BYTES) longStrings.push({ start: at + 1, end });
        expectsKey = false;
        at = end;
        break;
      }
      case 0x7b:
      case 0x5b:
        if (openContainers.push(current) > MAX_DEPTH) return { kind: 'too-deep' };
        if (++containers > MAX_CONTAINERS) return { kind: 'too-many-values' };
        current = bytes[at] === 0x7b ? { starts: [], ends: [], names: undefined } : null;
        expectsKey = current !== null;
        break;
      case 0x7d:
      case 0x5d:
        current = openContainers.pop() ?? null;
        expectsKey = false;
        break;
      case 0x2c:
        expectsKey = current !== null;
        if (++members > MAX_MEMBERS) return { kind: 'too-many-values' };
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

function isRepeatedKey(object: OpenObject, bytes: Buffer, start: number, end: number): boolean {
  if (!object.names && object.starts.length < MAX_LINEAR_KEYS && !hasBackslash(bytes, start, end)) {
    const { starts, ends } = object;
    for (let index = 0; index < starts.length; index += 1) {
      if (ends[index]! - starts[index]! === end - start && hasSameBytes(bytes, starts[index]!, start, end - start))
        return true;
    }
    starts.push(start);
    ends.push(end);
    return false;
  }
  object.names ??= new Set(object.starts.map((from, index) => decodeName(bytes, from, object.ends[index]!)));
  const name = decodeName(bytes, start, end);
  if (object.names.has(name)) return true;
  object.names.add(name);
  return false;
}

function hasSameBytes(bytes: Buffer, left: number, right: number, length: number): boolean {
  for (let index = 0; index < length; index += 1) if (bytes[left + index] !== bytes[right + index]) return false;
  return true;
}

function hasBackslash(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (bytes[at] === BACKSLASH) return true;
  return false;
}

function decodeName(bytes: Buffer, start: number, end: number): string {
  const rawName = bytes.toString('utf8', start, end);
  if (!hasBackslash(bytes, start, end)) return rawName;
  try {
    return JSON.parse(`"${rawName}"`) as string;
  } catch {
    return rawName;
  }
}
