import type { Block } from './checked-request.ts';
import { type Problem, validationError } from './problem.ts';

const EMPTY_TEXT = 'text content blocks must be non-empty';
const BLANK_TEXT = 'text content blocks must contain non-whitespace text';
const EMPTY_CACHED_TEXT = 'cache_control cannot be set for empty text blocks';

/** Returns whether a text is only white space. Stops at the first other character. */
export function isBlank(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (!isSpace(text, index)) return false;
  return true;
}

/** Returns whether a text ends with white space. */
export const endsWithSpace = (text: string): boolean => text !== '' && isSpace(text, text.length - 1);

/** Returns whether a character is white space in Python, in which the real API is written. */
function isSpace(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d) || (code >= 0x1c && code <= 0x1f);
  return code >= 0x85 && /\s|\u0085/.test(text[index]!);
}

/**
 * Returns the problem of an empty text block. `field` is the top-level field, because the real API names no other
 * place.
 */
export function findEmptyTextProblem(text: string, field: string): Problem | undefined {
  if (text === '') return validationError(EMPTY_TEXT, field);
  return isBlank(text) ? validationError(BLANK_TEXT, field) : undefined;
}

/** Returns the problem of a cache breakpoint on an empty text block. */
export function findCachedEmptyTextProblem(block: Block, path: string): Problem | undefined {
  return block['text'] === '' && block.cache_control ? validationError(EMPTY_CACHED_TEXT, path) : undefined;
}
