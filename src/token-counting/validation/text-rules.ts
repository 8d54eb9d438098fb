import { type Problem, refuse } from './problem.ts';

const EMPTY = 'text content blocks must be non-empty';
const BLANK = 'text content blocks must contain non-whitespace text';

/** Whether a text holds nothing but white space; looks no further than its first other character. */
export function isBlank(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 0x20 && code < 0x85) return false;
    if (code > 0x20 && !/\s|\u0085/.test(text[index]!)) return false;
    if (code <= 0x20 && code !== 0x20 && (code < 9 || code > 13) && (code < 0x1c || code > 0x1f)) return false;
  }
  return true;
}

/** Text blocks say something. `where` is the top-level field, the only place that the real API names. */
export function emptyTextProblem(text: string, where: string): Problem | undefined {
  if (text === '') return refuse(EMPTY, where);
  return isBlank(text) ? refuse(BLANK, where) : undefined;
}
