import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';

/** A problem of a request with its place in the text. Lines and columns count from 1. */
export interface TextProblem {
  message: string;
  line: number;
  column: number;
}

type ParsedText = { ok: true; value: unknown } | { ok: false; problem: TextProblem };

/** Maximum nesting, as at the endpoint. */
const MAX_DEPTH = 1_000;

const SYNTAX_MESSAGES: Readonly<Record<string, string>> = {
  InvalidSymbol: 'This is no JSON value. Put texts in double quotes.',
  InvalidNumberFormat: 'This number is not valid.',
  PropertyNameExpected: 'A key in double quotes is expected here.',
  ValueExpected: 'A value is expected here.',
  ColonExpected: 'A colon is expected here.',
  CommaExpected: 'A comma is expected here.',
  CloseBraceExpected: 'A closing brace is expected here.',
  CloseBracketExpected: 'A closing bracket is expected here.',
  EndOfFileExpected: 'Nothing may follow the request.',
  InvalidCommentToken: 'JSON has no comments.',
  UnexpectedEndOfComment: 'JSON has no comments.',
  UnexpectedEndOfString: 'A closing quote is missing.',
  UnexpectedEndOfNumber: 'This number is not complete.',
  InvalidUnicode: 'This \\u escape is not valid.',
  InvalidEscapeCharacter: 'This escape is not valid.',
  InvalidCharacter: 'Escape control characters in texts: a line break is \\n.',
};

/**
 * Parses the text of a request. Returns its value, or the first syntax error with its place. Rejects repeated keys and
 * unpaired surrogates, as the endpoint does.
 */
export function parseRequestText(text: string): ParsedText {
  let first: { message: string; offset: number } | undefined;
  const report = (message: string, offset: number): void => {
    first ??= { message, offset };
  };
  const openKeys: Set<string>[] = [];
  let depth = 0;
  const open = (offset: number): boolean => {
    depth += 1;
    if (depth > MAX_DEPTH) report(`The request is nested deeper than ${MAX_DEPTH} levels.`, offset);
    return first === undefined;
  };
  try {
    visit(
      text,
      {
        onError: (code, offset) => report(getSyntaxMessage(code), offset),
        onObjectBegin: (offset) => {
          openKeys.push(new Set());
          return open(offset);
        },
        onObjectProperty: (key, offset) => {
          const keys = openKeys.at(-1);
          if (keys?.has(key)) report(`The key ${JSON.stringify(key)} is repeated within one object.`, offset);
          keys?.add(key);
        },
        onObjectEnd: () => {
          openKeys.pop();
          depth -= 1;
        },
        onArrayBegin: open,
        onArrayEnd: () => {
          depth -= 1;
        },
        onLiteralValue: (value: unknown, offset) => {
          if (typeof value === 'string' && !value.isWellFormed())
            report('This text has half of a surrogate pair, which is no character.', offset);
        },
      },
      { disallowComments: true, allowTrailingComma: false },
    );
  } catch (error) {
    // The visitor is recursive. Its stack ends far beyond the maximum depth.
    if (!(error instanceof RangeError)) throw error;
  }
  if (first) return { ok: false, problem: { message: first.message, ...locateOffset(text, first.offset) } };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { ok: false, problem: { message: 'A request is a JSON object.', line: 1, column: 1 } };
    return { ok: true, value };
  } catch {
    return { ok: false, problem: { message: 'This is not valid JSON.', line: 1, column: 1 } };
  }
}

const getSyntaxMessage = (code: ParseErrorCode): string =>
  SYNTAX_MESSAGES[printParseErrorCode(code)] ?? 'This is not valid JSON.';

function locateOffset(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}
