import { randomUUID } from 'node:crypto';
import type { ByteRange } from './inspect-json.ts';
import { isBase64 } from './decode-base64.ts';

/**
 * Number of digits that are checked first. Four digits are three bytes, so the first digits of a file are valid base64.
 */
const PROBE_LENGTH = 64;

/** Returns the long strings whose first 64 characters are base64. In practice these are files. */
export function findFiles(bytes: Buffer, longStrings: readonly ByteRange[]): ByteRange[] {
  return longStrings.filter(({ start }) => isBase64(bytes.toString('latin1', start, start + PROBE_LENGTH)));
}

/** Prefix of the placeholders for files during the parse. It is random, so a client cannot send it. */
const PLACEHOLDER_PREFIX = `${randomUUID()}:`;

/**
 * Parses a JSON text with files in it. Long base64 strings are cut out and restored afterwards, which saves reading and
 * copying them twice (32 MB of images: 12 ms instead of 50). Returns the value that `JSON.parse` returns.
 * @param isSingleByte whether the whole text is ASCII
 * @param spans the possible files from `findFiles`
 * @throws SyntaxError as `JSON.parse` does
 */
export function parseJson(bytes: Buffer, isSingleByte: boolean, spans: readonly ByteRange[]): unknown {
  const decodeRange = (start: number, end: number): string =>
    bytes.toString(isSingleByte ? 'latin1' : 'utf8', start, end);
  const files: string[] = [];
  let text = '';
  let from = 0;
  for (const { start, end } of spans) {
    const file = bytes.toString('latin1', start, end);
    if (!isBase64(file)) continue;
    text += `${decodeRange(from, start)}${PLACEHOLDER_PREFIX}${files.push(file) - 1}`;
    from = end;
  }
  const parsed = files.length > 0 ? tryParse(text + decodeRange(from, bytes.length)) : undefined;
  // On a syntax error, parse the original text, so that the position in the message is correct.
  return parsed === undefined ? JSON.parse(decodeRange(0, bytes.length)) : restorePlaceholders(files, parsed);
}

/** Returns `undefined` on a syntax error. A JSON text never has the value `undefined`. */
function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Replaces the placeholders in `value` by the files. */
function restorePlaceholders(files: readonly string[], value: unknown): unknown {
  if (typeof value === 'string')
    return value.startsWith(PLACEHOLDER_PREFIX) ? files[Number(value.slice(PLACEHOLDER_PREFIX.length))] : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) value[index] = restorePlaceholders(files, value[index]);
    return value;
  }
  const object = value as Record<string, unknown>;
  for (const name in object) {
    const member = object[name];
    const restored = restorePlaceholders(files, member);
    // Use defineProperty, because a key may be `__proto__`.
    if (restored !== member)
      Object.defineProperty(object, name, { value: restored, writable: true, enumerable: true, configurable: true });
  }
  return object;
}
