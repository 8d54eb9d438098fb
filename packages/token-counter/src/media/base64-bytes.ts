/** Six-bit values of the base64 alphabet, including the URL-safe one. 255 is not a digit. */
const DIGIT_VALUES = new Uint8Array(128).fill(255);
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
for (let i = 0; i < 64; i++) DIGIT_VALUES[ALPHABET.charCodeAt(i)] = i;
DIGIT_VALUES[0x2d] = 62;
DIGIT_VALUES[0x5f] = 63;

/** Decodes bytes of a base64 text on demand. Reading a header costs microseconds, independent of the file size. */
export class Base64Bytes {
  readonly length: number;
  private readonly text: string;

  constructor(text: string) {
    // The API rejects line-wrapped base64, but its header must still be read correctly.
    this.text = /\s/.test(text.slice(0, 128)) ? text.replace(/\s+/g, '') : text;
    let end = this.text.length;
    while (end > 0 && this.text.charCodeAt(end - 1) === 0x3d) end--;
    this.length = Math.floor((end * 3) / 4);
  }

  /** Returns the byte at an offset, or 0 outside the data. */
  byteAt(offset: number): number {
    if (offset < 0 || offset >= this.length) return 0;
    const third = offset % 3;
    const digitIndex = ((offset - third) / 3) * 4 + third;
    const digitPair = (this.readDigit(digitIndex) << 6) | this.readDigit(digitIndex + 1);
    return (digitPair >> (4 - 2 * third)) & 0xff;
  }

  u16be(offset: number): number {
    return (this.byteAt(offset) << 8) | this.byteAt(offset + 1);
  }

  u16le(offset: number): number {
    return this.byteAt(offset) | (this.byteAt(offset + 1) << 8);
  }

  u24le(offset: number): number {
    return this.u16le(offset) | (this.byteAt(offset + 2) << 16);
  }

  u32be(offset: number): number {
    return this.u16be(offset) * 0x10000 + this.u16be(offset + 2);
  }

  /** Returns whether the bytes at an offset equal an ASCII text. */
  hasAsciiAt(offset: number, text: string): boolean {
    for (let i = 0; i < text.length; i++) if (this.byteAt(offset + i) !== text.charCodeAt(i)) return false;
    return true;
  }

  private readDigit(index: number): number {
    const value = DIGIT_VALUES[this.text.charCodeAt(index) & 0x7f] ?? 255;
    return value === 255 ? 0 : value;
  }
}
