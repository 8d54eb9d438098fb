const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Up to this many keys an object's keys are compared one by one; larger objects get a set. */
const FEW = 8;

/** Keys of one open object: where they stand, or the set of them once there are many or one is written with escapes. */
interface OpenObject {
  starts: number[];
  ends: number[];
  names: Set<string> | undefined;
}

/** Deeper than any schema or tool input; what nests deeper costs seconds to parse and to walk. */
export const MAX_DEPTH = 1_000;

/** Objects and arrays, and values behind a comma: ten times what 100,000 messages need, under 500 MB once parsed. */
const MAX_CONTAINERS = 2_000_000;
const MAX_MEMBERS = 8_000_000;

/** A string value of a JSON text: its bytes between the quotes. */
export interface Span {
  start: number;
  end: number;
}

/** A string value from this length on is told to the caller. */
const LONG_STRING = 64 * 1024;

/** What `JSON.parse` would silently accept. */
type JsonOddity = { kind: 'too deep' } | { kind: 'too many values' } | { kind: 'repeated key'; key: string };

/**
 * Looks over a JSON text for nesting beyond `MAX_DEPTH`, for more values than memory should hold, and for a key that
 * stands twice in one object, of which `JSON.parse` takes the last. Text that is not JSON may be passed too. One pass,
 * no recursion; about 10 GB/s on long strings, whose places are put in `long`.
 */
export function inspectJson(bytes: Buffer, long: Span[] = []): JsonOddity | undefined {
  const open: (OpenObject | null)[] = [];
  let current: OpenObject | null = null;
  let keyComes = false;
  let containers = 0;
  let members = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case QUOTE: {
        const end = endOfString(bytes, at + 1);
        if (keyComes && current && repeats(current, bytes, at + 1, end))
          return { kind: 'repeated key', key: nameOf(bytes, at + 1, end) };
        if (!keyComes && end - at > LONG_STRING) long.push({ start: at + 1, end });
        keyComes = false;
        at = end;
        break;
      }
      case 0x7b:
      case 0x5b:
        if (open.push(current) > MAX_DEPTH) return { kind: 'too deep' };
        if (++containers > MAX_CONTAINERS) return { kind: 'too many values' };
        current = bytes[at] === 0x7b ? { starts: [], ends: [], names: undefined } : null;
        keyComes = current !== null;
        break;
      case 0x7d:
      case 0x5d:
        current = open.pop() ?? null;
        keyComes = false;
        break;
      case 0x2c:
        keyComes = current !== null;
        if (++members > MAX_MEMBERS) return { kind: 'too many values' };
        break;
      default:
    }
  }
  return undefined;
}

/** Index of the quote that ends the string beginning at `from`. After 64 bytes the C library looks for it. */
function endOfString(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    for (const near = at + 64; at < near; at += 1) {
      const byte = bytes[at];
      if (byte === QUOTE) return at;
      if (byte === BACKSLASH) at += 1;
    }
    const quote = bytes.indexOf(QUOTE, at);
    if (quote === -1) return bytes.length;
    let before = quote;
    while (before > at && bytes[before - 1] === BACKSLASH) before -= 1;
    if ((quote - before) % 2 === 0) return quote;
    at = quote + 1;
  }
}

function repeats(object: OpenObject, bytes: Buffer, start: number, end: number): boolean {
  if (!object.names && object.starts.length < FEW && !holdsBackslash(bytes, start, end)) {
    const { starts, ends } = object;
    for (let index = 0; index < starts.length; index += 1) {
      if (ends[index]! - starts[index]! === end - start && sameBytes(bytes, starts[index]!, start, end - start))
        return true;
    }
    starts.push(start);
    ends.push(end);
    return false;
  }
  object.names ??= new Set(object.starts.map((from, index) => nameOf(bytes, from, object.ends[index]!)));
  const name = nameOf(bytes, start, end);
  if (object.names.has(name)) return true;
  object.names.add(name);
  return false;
}

function sameBytes(bytes: Buffer, one: number, other: number, length: number): boolean {
  for (let index = 0; index < length; index += 1) if (bytes[one + index] !== bytes[other + index]) return false;
  return true;
}

function holdsBackslash(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (bytes[at] === BACKSLASH) return true;
  return false;
}

function nameOf(bytes: Buffer, start: number, end: number): string {
  const written = bytes.toString('utf8', start, end);
  if (!holdsBackslash(bytes, start, end)) return written;
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return written;
  }
}
