/**
 * The first error of a JSON text in the words of orjson, the parser of the real API. The words and positions are those
 * of yyjson, which orjson contains.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LINE_FEED = 0x0a;
const END_OF_DATA = 'unexpected end of data';
const UNEXPECTED_CHARACTER = 'unexpected character';
const LITERALS = ['true', 'false', 'null'];
/** Length of an escape with four digits. */
const UNIT_ESCAPE_LENGTH = 6;

interface JsonSyntaxError {
  /** The error with its position: `unexpected character: line 1 column 2 (char 1)`. */
  message: string;
  /** Number of code points before the error. */
  character: number;
}

class ScanError extends Error {
  /** Offset in bytes. */
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/**
 * Returns the first error, or `undefined` for valid JSON. A surrogate escape without its pair is an error. Expects valid
 * UTF-8 with nesting up to `MAX_DEPTH`.
 */
export function findJsonSyntaxError(bytes: Uint8Array): JsonSyntaxError | undefined {
  try {
    new JsonScanner(bytes).scanDocument();
    return undefined;
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
    const { line, column, character } = findPosition(bytes, error.at);
    return { message: `${error.message}: line ${line} column ${column} (char ${character})`, character };
  }
}

/** Returns the position of a byte in code points. Lines and columns count from 1, characters from 0. */
function findPosition(bytes: Uint8Array, at: number): { line: number; column: number; character: number } {
  let line = 1;
  let column = 1;
  let character = 0;
  for (const byte of bytes.subarray(0, at)) {
    if (isContinuation(byte)) continue;
    character += 1;
    column += 1;
    if (byte !== LINE_FEED) continue;
    line += 1;
    column = 1;
  }
  return { line, column, character };
}

/** Returns whether a byte continues a code point in UTF-8. */
const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

/** Scans a text from its start and throws at the first error. */
class JsonScanner {
  private readonly bytes: Uint8Array;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  scanDocument(): void {
    this.skipSpace();
    if (this.at >= this.bytes.length) throw new ScanError('input data is empty', this.at);
    this.scanValue();
    this.skipSpace();
    if (this.at < this.bytes.length) this.fail('unexpected content after document');
  }

  private fail(message: string, at = this.at): never {
    const isAtEnd = at >= this.bytes.length;
    throw new ScanError(isAtEnd ? END_OF_DATA : message, isAtEnd ? this.bytes.length : at);
  }

  /** Returns the next byte as a character, or an empty string at the end. */
  private peek(): string {
    return this.at < this.bytes.length ? String.fromCharCode(this.bytes[this.at]!) : '';
  }

  /** Returns some bytes as characters, fewer at the end. */
  private read(start: number, length: number): string {
    return String.fromCharCode(...this.bytes.subarray(start, start + length));
  }

  private skipSpace(): void {
    while (/[ \t\n\r]/.test(this.peek())) this.at += 1;
  }

  private scanValue(): void {
    const character = this.peek();
    if (character === '{') this.scanMembers('}');
    else if (character === '[') this.scanMembers(']');
    else if (character === '"') this.scanString();
    else if (/[-0-9]/.test(character)) this.scanNumber();
    else if (/[tfn]/.test(character)) this.scanLiteral();
    else this.fail(UNEXPECTED_CHARACTER);
  }

  /** Scans an object or a list, from its first to its last bracket. */
  private scanMembers(end: '}' | ']'): void {
    this.at += 1;
    this.skipSpace();
    let hasNext = this.peek() !== end;
    if (!hasNext) this.at += 1;
    while (hasNext) {
      if (end === '}') this.scanKey();
      this.scanValue();
      this.skipSpace();
      hasNext = this.scanSeparator(end);
    }
  }

  /** Scans a comma or the last bracket. Returns whether a member follows. */
  private scanSeparator(end: '}' | ']'): boolean {
    const start = this.at;
    const character = this.peek();
    if (character !== ',' && character !== end) this.fail(UNEXPECTED_CHARACTER);
    this.at += 1;
    if (character === end) return false;
    this.skipSpace();
    if (this.peek() === end) this.fail('trailing comma is not allowed', start);
    return true;
  }

  private scanKey(): void {
    if (this.peek() !== '"') this.fail(UNEXPECTED_CHARACTER);
    this.scanString();
    this.skipSpace();
    if (this.peek() !== ':') this.fail(UNEXPECTED_CHARACTER);
    this.at += 1;
    this.skipSpace();
  }

  private scanLiteral(): void {
    const rest = this.read(this.at, 5);
    const literal = LITERALS.find((word) => rest.startsWith(word));
    if (literal === undefined) {
      const isTruncated = this.at + rest.length === this.bytes.length && LITERALS.some((word) => word.startsWith(rest));
      this.fail('invalid literal', isTruncated ? this.bytes.length : this.at);
    }
    this.at += literal.length;
  }

  private scanNumber(): void {
    if (this.peek() === '-') this.at += 1;
    const start = this.at;
    const hasLeadingZero = this.peek() === '0';
    this.scanDigits('no digit after minus sign');
    if (hasLeadingZero && this.at > start + 1) this.fail('number with leading zero is not allowed', start);
    if (this.peek() === '.') {
      this.at += 1;
      this.scanDigits('no digit after decimal point');
    }
    if (/[eE]/.test(this.peek())) {
      this.at += 1;
      if (/[-+]/.test(this.peek())) this.at += 1;
      this.scanDigits('no digit after exponent sign');
    }
  }

  private scanDigits(missing: string): void {
    if (!/[0-9]/.test(this.peek())) this.fail(missing);
    while (/[0-9]/.test(this.peek())) this.at += 1;
  }

  private scanString(): void {
    this.at += 1;
    while (this.bytes[this.at] !== QUOTE) {
      const byte = this.bytes[this.at];
      if (byte === undefined || byte < 0x20) this.fail('unexpected control character in string');
      if (byte === BACKSLASH) this.scanEscape();
      else this.at += 1;
    }
    this.at += 1;
  }

  private scanEscape(): void {
    const start = this.at;
    this.at += 1;
    const character = this.peek();
    if (character !== 'u') {
      if (!/["\\/bfnrt]/.test(character)) this.fail('invalid escaped character in string');
      this.at += 1;
      return;
    }
    const unit = this.readUnit(start);
    this.at = start + UNIT_ESCAPE_LENGTH;
    if (unit >= 0xdc00 && unit <= 0xdfff) this.fail('invalid high surrogate in string', start);
    if (unit >= 0xd800 && unit <= 0xdbff) this.scanLowSurrogate(start);
  }

  private scanLowSurrogate(high: number): void {
    const start = this.at;
    if (this.read(start, 2) !== '\\u') this.fail('no low surrogate in string', high);
    const unit = this.readUnit(start);
    if (unit < 0xdc00 || unit > 0xdfff) this.fail('invalid low surrogate in string', high);
    this.at = start + UNIT_ESCAPE_LENGTH;
  }

  /** Returns the code unit of the escape at an offset. */
  private readUnit(start: number): number {
    const digits = this.read(start + 2, 4);
    if (/^[0-9a-fA-F]{4}$/.test(digits)) return Number.parseInt(digits, 16);
    const isTruncated = /^[0-9a-fA-F]{0,3}$/.test(digits) && start + 2 + digits.length === this.bytes.length;
    return this.fail('invalid escaped sequence in string', isTruncated ? this.bytes.length : start);
  }
}
