/** Six-bit values of the base64 alphabet (the URL-safe one too); 255 = no digit. */
const DIGIT_VALUES = new Uint8Array(128).fill(255);
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
for (let i = 0; i < 64; i++) DIGIT_VALUES[ALPHABET.charCodeAt(i)] = i;
DIGIT_VALUES[0x2d] = 62;
DIGIT_VALUES[0x5f] = 63;

/** Bytes of a base64 text, each decoded when it is asked for: a header costs microseconds, whatever follows. */
export class Base64Bytes {
  readonly length: number;
  private readonly text: string;

  constructor(text: string) {
    // Line-wrapped base64 is not what the API takes, but a header in it should not be misread.
    this.text = /\s/.test(text.slice(0, 128)) ? text.replace(/\s+/g, '') : text;
    let end = this.text.length;
    while (end > 0 && this.text.charCodeAt(end - 1) === 0x3d) end--;
    this.length = Math.floor((end * 3) / 4);
  }

  /** The byte at an offset; 0 outside the data. */
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

  /** Whether ASCII text stands at an offset. */
  hasAsciiAt(offset: number, text: string): boolean {
    for (let i = 0; i < text.length; i++) if (this.byteAt(offset + i) !== text.charCodeAt(i)) return false;
    return true;
  }

  private readDigit(index: number): number {
    const value = DIGIT_VALUES[this.text.charCodeAt(index) & 0x7f] ?? 255;
    return value === 255 ? 0 : value;
  }
}
