/** Characters that a backslash escapes between double quotes. Before other characters the backslash is kept. */
const ESCAPED_IN_DOUBLE_QUOTES = new Set('"\\`$');

const BACKSLASH = '\\';
const SPACE = /^\s$/;
const LINE_END = /[\r\n]/;
const EQUALS_OR_LINE_END = /[=\r\n]/;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Returns the settings in the text of a file that systemd reads as an `EnvironmentFile`, by its rules: `#` and `;` begin
 * a comment only at the beginning of a line, quotes only at the beginning of a value or after another quoted part, and
 * a backslash before a line end continues the line. Variables are not expanded. Lines without a valid name are omitted.
 */
export function parseEnvironmentFile(text: string): Record<string, string> {
  const settings: Record<string, string> = {};
  let rest = text.trimStart();
  while (rest !== '') {
    const isComment = rest[0] === '#' || rest[0] === ';';
    const end = rest.search(isComment ? LINE_END : EQUALS_OR_LINE_END);
    if (end === -1) break;
    if (isComment || rest[end] !== '=') {
      rest = rest.slice(end).trimStart();
      continue;
    }
    const name = rest.slice(0, end).trimEnd();
    const value = readValue(rest, end + 1);
    if (NAME.test(name)) settings[name] = value.text;
    rest = rest.slice(value.end).trimStart();
  }
  return settings;
}

/** Text of a value or of a part of it. */
interface Part {
  text: string;
  /** Position after its last character. */
  end: number;
}

/** Reads a value from `start`, which is after the equals sign. It ends with the line, except between quotes. */
function readValue(source: string, start: number): Part {
  let text = '';
  let position = start;
  while (position < source.length && !LINE_END.test(source[position]!)) {
    const first = source[position]!;
    if (SPACE.test(first)) {
      position += 1;
      continue;
    }
    const isQuoted = first === '"' || first === "'";
    const part = isQuoted ? readQuoted(source, position + 1, first) : readUnquoted(source, position);
    text += part.text;
    position = part.end;
  }
  return { text, end: position };
}

/** Reads up to the closing quote. Without one, the rest of the file belongs to the value. */
function readQuoted(source: string, start: number, quote: string): Part {
  let text = '';
  for (let position = start; position < source.length; position += 1) {
    const character = source[position]!;
    if (character === quote) return { text, end: position + 1 };
    const isEscape = character === BACKSLASH && quote === '"';
    if (isEscape) position += 1;
    text += isEscape ? unescape(source[position]) : character;
  }
  return { text, end: source.length };
}

/** Returns what a backslash and a character mean between double quotes. At the end of a line or file it is nothing. */
function unescape(character: string | undefined): string {
  if (character === undefined || character === '\n') return '';
  return ESCAPED_IN_DOUBLE_QUOTES.has(character) ? character : BACKSLASH + character;
}

/** Reads up to the end of the line. Spaces at its end are omitted, unless a backslash escapes them. */
function readUnquoted(source: string, start: number): Part {
  let text = '';
  let lengthWithoutSpaces = 0;
  let position = start;
  for (; position < source.length && !LINE_END.test(source[position]!); position += 1) {
    const isEscaped = source[position] === BACKSLASH;
    if (isEscaped) position += 1;
    const character = source[position] ?? '';
    if (!isEscaped || !LINE_END.test(character)) text += character;
    if (isEscaped || !SPACE.test(character)) lengthWithoutSpaces = text.length;
  }
  return { text: text.slice(0, lengthWithoutSpaces), end: position };
}
