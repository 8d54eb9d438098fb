import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import fc from 'fast-check';
import { decodeBody } from './decode-body.ts';
import { findJsonSyntaxError } from './json-syntax-error.ts';
import { hasLoneSurrogate } from './lone-surrogate.ts';

const find = (text: string): string | undefined => findJsonSyntaxError(Buffer.from(text))?.message;

describe('words and positions of orjson', () => {
  const rows: readonly (readonly [text: string, error: string])[] = [
    ['', 'input data is empty'],
    ['  ', 'input data is empty'],
    ['x', 'unexpected character: line 1 column 1 (char 0)'],
    ["{'a': 1}", 'unexpected character: line 1 column 2 (char 1)'],
    ['{"a" 1}', 'unexpected character: line 1 column 6 (char 5)'],
    ['{"a":}', 'unexpected character: line 1 column 6 (char 5)'],
    ['{"a":1 "b":2}', 'unexpected character: line 1 column 8 (char 7)'],
    ['[1,,2]', 'unexpected character: line 1 column 4 (char 3)'],
    ['[,]', 'unexpected character: line 1 column 2 (char 1)'],
    ['{"a":1,}', 'trailing comma is not allowed: line 1 column 7 (char 6)'],
    ['[1 , ]', 'trailing comma is not allowed: line 1 column 4 (char 3)'],
    ['{} x', 'unexpected content after document: line 1 column 4 (char 3)'],
    ['{"a":', 'unexpected end of data: line 1 column 6 (char 5)'],
    ['{"a":"b', 'unexpected end of data: line 1 column 8 (char 7)'],
    ['["\\u12', 'unexpected end of data: line 1 column 7 (char 6)'],
    ['[tru', 'unexpected end of data: line 1 column 5 (char 4)'],
    ['[nul]', 'invalid literal: line 1 column 2 (char 1)'],
    ['[NaN]', 'unexpected character: line 1 column 2 (char 1)'],
    ['[01]', 'number with leading zero is not allowed: line 1 column 2 (char 1)'],
    ['[-x]', 'no digit after minus sign: line 1 column 3 (char 2)'],
    ['[1.]', 'no digit after decimal point: line 1 column 4 (char 3)'],
    ['[1e+]', 'no digit after exponent sign: line 1 column 5 (char 4)'],
    ['["a\tb"]', 'unexpected control character in string: line 1 column 4 (char 3)'],
    ['["a\\x"]', 'invalid escaped character in string: line 1 column 5 (char 4)'],
    ['["\\u12g4"]', 'invalid escaped sequence in string: line 1 column 3 (char 2)'],
    ['["\\ud83d"]', 'no low surrogate in string: line 1 column 3 (char 2)'],
    ['["\\ud83d\\u0041"]', 'invalid low surrogate in string: line 1 column 3 (char 2)'],
    ['["\\ude00"]', 'invalid high surrogate in string: line 1 column 3 (char 2)'],
    // Positions count characters, not bytes.
    ['{"café":"😀",\n "é": x}', 'unexpected character: line 2 column 7 (char 19)'],
    ['["日本", "\n"]', 'unexpected control character in string: line 1 column 9 (char 8)'],
  ];
  test.each(rows)('describes %j', (text, error) => {
    assert.ok(find(text)?.startsWith(error), find(text));
  });
});

test('finds an error exactly when JSON.parse does or a surrogate is alone', () => {
  const parts = [
    '"',
    '\\',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    ' ',
    '\n',
    'a',
    '1',
    '0',
    '-',
    '.',
    'e',
    '\\u00e9',
    '\\ud83d',
  ];
  const json = fc.array(fc.constantFrom(...parts, '\\ude00', '"a"', 'true', 'null', 'é', '\u0001'), { maxLength: 12 });
  const texts = fc.oneof(
    json.map((list) => list.join('')),
    fc.json(),
    fc.tuple(fc.json(), fc.nat(), fc.constantFrom(...parts)).map(([text, where, part]) => {
      const at = where % (text.length + 1);
      return text.slice(0, at) + part + text.slice(at);
    }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const bytes = Buffer.from(text);
      let isValid = true;
      try {
        JSON.parse(text);
        isValid = !hasLoneSurrogate(bytes);
      } catch {
        isValid = false;
      }
      assert.equal(findJsonSyntaxError(bytes) === undefined, isValid, find(text));
    }),
    { numRuns: 3_000 },
  );
});

describe('texts that no parser reads', () => {
  const rows: readonly (readonly [name: string, bytes: Buffer, error: string])[] = [
    ['an empty text', Buffer.alloc(0), 'Input is a zero-length, empty document'],
    ['a byte order mark', Buffer.from('\ufeff{}'), 'byte order mark (BOM) is not supported'],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'str is not valid UTF-8: surrogates not allowed'],
  ];
  test.each(rows)('rejects %s', (_name, bytes, error) => {
    const decoded = decodeBody(bytes);
    assert.ok(!decoded.ok);
    assert.equal(decoded.problem.message, `The request body is not valid JSON: ${error}: line 1 column 1 (char 0)`);
  });
});
