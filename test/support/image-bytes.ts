/** Image headers for the tests, byte by byte. */
const u16 = (value: number): number[] => [(value >> 8) & 0xff, value & 0xff];
const u32 = (value: number): number[] => [...u16(Math.floor(value / 0x10000)), ...u16(value)];
const le16 = (value: number): number[] => u16(value).reverse();
const le24 = (value: number): number[] => [value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff];
const ascii = (text: string): number[] => [...text].map((character) => character.charCodeAt(0));

export function png(width: number, height: number, options: { interlaced?: boolean; apple?: boolean } = {}): number[] {
  const apple = options.apple === true ? [...u32(4), ...ascii('CgBI'), 0x50, 0, 0x20, 2, ...u32(0)] : [];
  const interlace = options.interlaced === true ? 1 : 0;
  return [
    0x89,
    ...ascii('PNG'),
    13,
    10,
    26,
    10,
    ...apple,
    ...u32(13),
    ...ascii('IHDR'),
    ...u32(width),
    ...u32(height),
    8,
    6,
    0,
    0,
    interlace,
    ...u32(0),
  ];
}

export function segment(marker: number, payload: readonly number[]): number[] {
  return [0xff, marker, ...u16(payload.length + 2), ...payload];
}

/** A frame header. */
export function sof(marker: number, width: number, height: number): number[] {
  return segment(marker, [8, ...u16(height), ...u16(width), 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]);
}

export function jpeg(parts: readonly (readonly number[])[]): number[] {
  return [0xff, 0xd8, ...parts.flat()];
}

export function gif(version: string, width: number, height: number): number[] {
  return [...ascii(`GIF${version}`), ...le16(width), ...le16(height), 0xf7, 0, 0];
}

export function webp(form: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): number[] {
  const bodies = {
    'VP8 ': [0x30, 1, 0, 0x9d, 0x01, 0x2a, ...le16(width), ...le16(height)],
    VP8L: [0x2f, ...lossless(width - 1, height - 1)],
    VP8X: [0x10, 0, 0, 0, ...le24(width - 1), ...le24(height - 1)],
  };
  return [...ascii('RIFF'), 0, 0, 0, 0, ...ascii('WEBP'), ...ascii(form), 10, 0, 0, 0, ...bodies[form]];
}

/** Two sides of 14 bits, low bits first. */
function lossless(width: number, height: number): number[] {
  const bits = BigInt(width) | (BigInt(height) << 14n);
  return [0n, 8n, 16n, 24n].map((shift) => Number((bits >> shift) & 0xffn));
}
