import { visit } from 'jsonc-parser';
import { formatInvalidJson, MAX_DEPTH, NO_OBJECT, TOO_DEEP } from '../../validation/body-problems.ts';
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
 * that is too deep, a syntax error, or another value than an object.
 */
export function parseRequestText(text: string): ParsedText {
  const valid = parseValidText(text);
  if (valid !== undefined) return toRequest(valid);
  const tooDeepAt = findTooDeep(text);
  if (tooDeepAt !== undefined) return fail(TOO_DEEP, locateOffset(text, tooDeepAt));
  const bytes = new TextEncoder().encode(text);
  const error = findJsonSyntaxError(bytes);
  if (error) return fail(formatInvalidJson(error.message), locateOffset(text, findOffset(text, error.character)));
  return toRequest(JSON.parse(text.toWellFormed()));
}

/**
 * Returns the value of a text without a problem, or undefined if there may be one. Finding problems in a valid text takes
 * three times as long as its parse.
 */
function parseValidText(text: string): unknown {
  // An escaped surrogate may be alone.
  if (/\\u[dD][89a-fA-F]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text.toWellFormed());
    return isNestedDeeper(value, MAX_DEPTH) ? undefined : value;
  } catch {
    return undefined;
  }
}

function isNestedDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isNestedDeeper(member, levels - 1));
}

const toRequest = (value: unknown): ParsedText =>
  isObject(value) ? { ok: true, value } : fail(NO_OBJECT, { line: 1, column: 1 });

const fail = (message: string, { line, column }: { line: number; column: number }): ParsedText => ({
  ok: false,
  problem: { message, line, column },
});

/** Returns the offset of the first bracket beyond `MAX_DEPTH`. The text may be invalid JSON. */
function findTooDeep(text: string): number | undefined {
  let tooDeepAt: number | undefined;
  let depth = 0;
  /** Returns whether the visitor continues inside the bracket. */
  const open = (offset: number): boolean => {
    depth += 1;
    if (depth > MAX_DEPTH) tooDeepAt ??= offset;
    return tooDeepAt === undefined;
  };
  const close = (): void => {
    depth -= 1;
  };
  try {
    visit(text, { onObjectBegin: open, onObjectEnd: close, onArrayBegin: open, onArrayEnd: close });
  } catch (error) {
    // The visitor is recursive. Its stack ends far beyond the maximum depth.
    if (!(error instanceof RangeError)) throw error;
  }
  return tooDeepAt;
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
