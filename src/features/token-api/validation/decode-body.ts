import { isAscii, isUtf8 } from 'node:buffer';
import { formatInvalidJson, NO_OBJECT, TOO_DEEP } from './body-problems.ts';
import { type Problem, validationError } from './problem.ts';
import { inspectJson, type ByteRange } from './inspect-json.ts';
import { findJsonSyntaxError } from './json-syntax-error.ts';
import { hasLoneSurrogate } from './lone-surrogate.ts';
import { findFiles, parseJson } from './parse-json.ts';

type DecodedBody = { ok: true; value: unknown } | { ok: false; problem: Problem };

/**
 * Parses a body as JSON. Of a key that an object repeats, the last value counts. Rejects a byte order mark and invalid
 * UTF-8.
 */
export function decodeBody(bytes: Buffer): DecodedBody {
  if (bytes.length === 0) return invalidJson(`Input is a zero-length, empty document: ${FIRST_POSITION}`);
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    return invalidJson(`byte order mark (BOM) is not supported: ${FIRST_POSITION}`);
  // ASCII is decoded byte by byte: 32 MB in 3 ms instead of 12.
  const hasOnlyAscii = isAscii(bytes);
  if (!hasOnlyAscii && !isUtf8(bytes))
    return invalidJson(`str is not valid UTF-8: surrogates not allowed: ${FIRST_POSITION}`);
  const longStrings: ByteRange[] = [];
  const violation = inspectJson(bytes, longStrings);
  if (violation === 'too-deep') return invalidBody(TOO_DEEP);
  if (violation === 'too-many-values')
    return invalidBody('The request body holds more objects, lists and values than can be counted at once.');
  let value: unknown;
  try {
    value = parseJson(bytes, hasOnlyAscii, findFiles(bytes, longStrings));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return invalidJson(findJsonSyntaxError(bytes)?.message ?? error.message.slice(0, 200));
  }
  if (hasLoneSurrogate(bytes)) return invalidJson(findJsonSyntaxError(bytes)!.message);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return invalidBody(NO_OBJECT);
  return { ok: true, value };
}

/** Position of errors that concern the whole text. */
const FIRST_POSITION = 'line 1 column 1 (char 0)';

const invalidJson = (error: string): DecodedBody => invalidBody(formatInvalidJson(error));
const invalidBody = (message: string): DecodedBody => ({ ok: false, problem: validationError(message) });
