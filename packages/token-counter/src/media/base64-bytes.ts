/** Six-bit values of the base64 alphabet (the URL-safe one too); 255 = no digit. */
const DIGITS = new Uint8Array(128).fill(255);
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
for (let i = 0; i < 64; i++) DIGITS[ALPHABET.charCodeAt(i)] = i;
DIGITS[0x2d] = 62;
DIGITS[0x5f] = 63;

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
  at(offset: number): number {
    if (offset < 0 || offset >= this.length) return 0;
    const third = offset % 3;
    const digit = ((offset - third) / 3) * 4 + third;
    const pair = (this.digit(digit) << 6) | this.digit(digit + 1);
    return (pair >> (4 - 2 * third)) & 0xff;
  }

  u16be(offset: number): number {
    return (this.at(offset) << 8) | this.at(offset + 1);
  }

  u16le(offset: number): number {
    return this.at(offset) | (this.at(offset + 1) << 8);
  }

  u24le(offset: number): number {
    return this.u16le(offset) | (this.at(offset + 2) << 16);
  }

  u32be(offset: number): number {
    return this.u16be(offset) * 0x10000 + this.u16be(offset + 2);
  }

  /** Whether ASCII text stands at an offset. */
  ascii(offset: number, text: string): boolean {
    for (let i = 0; i < text.length; i++) if (this.at(offset + i) !== text.charCodeAt(i)) return false;
    return true;
  }

  private digit(index: number): number {
    const value = DIGITS[this.text.charCodeAt(index) & 0x7f] ?? 255;
    return value === 255 ? 0 : value;
  }
}
