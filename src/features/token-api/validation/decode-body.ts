import { isAscii, isUtf8 } from 'node:buffer';
import { type Problem, refuse, shown } from './problem.ts';
import { inspectJson, MAX_DEPTH, type Span } from './inspect-json.ts';
import { findLoneSurrogate } from './lone-surrogate.ts';
import { findFiles, parseJson } from './parse-json.ts';

type DecodedBody = { ok: true; value: unknown } | { ok: false; problem: Problem };

/** Reads a body as JSON. What two readers could take differently is refused: repeated keys, a mark, broken UTF-8. */
export function decodeBody(bytes: Buffer): DecodedBody {
  if (bytes.length === 0) return no('The request body is empty. Send a JSON object.');
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    return no('The request body begins with a byte order mark. Send JSON without it.');
  // One byte a character is copied as it is: 32 MB in 3 ms instead of 12.
  const ascii = isAscii(bytes);
  if (!ascii && !isUtf8(bytes)) return no('The request body is not valid UTF-8.');
  const long: Span[] = [];
  const oddity = inspectJson(bytes, long);
  if (oddity?.kind === 'too deep') return no(`The request body is nested deeper than ${MAX_DEPTH} levels.`);
  if (oddity?.kind === 'too many values')
    return no('The request body holds more objects, lists and values than can be counted at once.');
  let value: unknown;
  try {
    value = parseJson(bytes, ascii, findFiles(bytes, long));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return no(`The request body is not valid JSON: ${error.message.slice(0, 200)}`);
  }
  const lone = findLoneSurrogate(bytes);
  if (lone) return no(`The request body is not valid JSON: ${lone}`);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return no('The request body must be a JSON object.');
  if (oddity) return no(`The request body repeats the key ${JSON.stringify(shown(oddity.key))} within one object.`);
  return { ok: true, value };
}

const no = (message: string): DecodedBody => ({ ok: false, problem: refuse(message) });
