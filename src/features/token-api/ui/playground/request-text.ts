import { visit } from 'jsonc-parser';
import {
  formatInvalidJson,
  formatRepeatedKey,
  MAX_DEPTH,
  NO_OBJECT,
  TOO_DEEP,
} from '../../validation/body-problems.ts';
import { findJsonSyntaxError } from '../../validation/json-syntax-error.ts';
import { isObject } from '../../validation/problem.ts';

/** A problem of a request with its place in the text. Lines and columns count from 1. */
export interface TextProblem {
  message: string;
  line: number;
  column: number;
}

type ParsedText = { ok: true; value: Record<string, unknown> } | { ok: false; problem: TextProblem };

/**
 * Parses the text of a request. Returns its value, or the problem that the endpoint reports, with its place: nesting
 * that is too deep, a syntax error, another value than an object, or a repeated key.
 */
export function parseRequestText(text: string): ParsedText {
  const { tooDeepAt, repeatedKey } = inspectText(text);
  if (tooDeepAt !== undefined) return fail(TOO_DEEP, locateOffset(text, tooDeepAt));
  const bytes = new TextEncoder().encode(text);
  const error = findJsonSyntaxError(bytes);
  if (error) return fail(formatInvalidJson(error.message), locateOffset(text, findOffset(text, error.character)));
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (!isObject(value)) return fail(NO_OBJECT, { line: 1, column: 1 });
  if (repeatedKey) return fail(formatRepeatedKey(repeatedKey.key), locateOffset(text, repeatedKey.offset));
  return { ok: true, value };
}

const fail = (message: string, { line, column }: { line: number; column: number }): ParsedText => ({
  ok: false,
  problem: { message, line, column },
});

interface TextInspection {
  /** Offset of the first bracket beyond `MAX_DEPTH`. */
  tooDeepAt: number | undefined;
  /** The first key that its object already has. */
  repeatedKey: { key: string; offset: number } | undefined;
}

/** Looks for deep nesting and for a repeated key. The text may be invalid JSON. */
function inspectText(text: string): TextInspection {
  const found: TextInspection = { tooDeepAt: undefined, repeatedKey: undefined };
  const openKeys: Set<string>[] = [];
  let depth = 0;
  /** Returns whether the visitor continues inside the bracket. */
  const open = (offset: number): boolean => {
    depth += 1;
    if (depth > MAX_DEPTH) found.tooDeepAt ??= offset;
    return found.tooDeepAt === undefined;
  };
  const close = (): void => {
    depth -= 1;
  };
  try {
    visit(text, {
      onObjectBegin: (offset) => {
        openKeys.push(new Set());
        return open(offset);
      },
      onObjectProperty: (key, offset) => {
        const keys = openKeys.at(-1);
        if (keys?.has(key)) found.repeatedKey ??= { key, offset };
        keys?.add(key);
      },
      onObjectEnd: () => {
        openKeys.pop();
        close();
      },
      onArrayBegin: open,
      onArrayEnd: close,
    });
  } catch (error) {
    // The visitor is recursive. Its stack ends far beyond the maximum depth.
    if (!(error instanceof RangeError)) throw error;
  }
  return found;
}

/** Returns the offset in UTF-16 of a code point. */
function findOffset(text: string, character: number): number {
  let offset = 0;
  for (let index = 0; index < character; index += 1) offset += text.codePointAt(offset)! > 0xffff ? 2 : 1;
  return offset;
}

function locateOffset(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}
