/** Builds image headers for tests byte by byte. */
const encodeU16 = (value: number): number[] => [(value >> 8) & 0xff, value & 0xff];
const encodeU32 = (value: number): number[] => [...encodeU16(Math.floor(value / 0x10000)), ...encodeU16(value)];
const encodeLe16 = (value: number): number[] => encodeU16(value).reverse();
const encodeLe24 = (value: number): number[] => [value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff];
const encodeAscii = (text: string): number[] => [...text].map((character) => character.charCodeAt(0));

export function createPng(
  width: number,
  height: number,
  options: { interlaced?: boolean; apple?: boolean } = {},
): number[] {
  const apple =
    options.apple === true ? [...encodeU32(4), ...encodeAscii('CgBI'), 0x50, 0, 0x20, 2, ...encodeU32(0)] : [];
  const interlace = options.interlaced === true ? 1 : 0;
  return [
    0x89,
    ...encodeAscii('PNG'),
    13,
    10,
    26,
    10,
    ...apple,
    ...encodeU32(13),
    ...encodeAscii('IHDR'),
    ...encodeU32(width),
    ...encodeU32(height),
    8,
    6,
    0,
    0,
    interlace,
    ...encodeU32(0),
  ];
}

export function createSegment(marker: number, payload: readonly number[]): number[] {
  return [0xff, marker, ...encodeU16(payload.length + 2), ...payload];
}

/** Returns a frame header. */
export function createFrameHeader(marker: number, width: number, height: number): number[] {
  return createSegment(marker, [8, ...encodeU16(height), ...encodeU16(width), 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]);
}

export function createJpeg(parts: readonly (readonly number[])[]): number[] {
  return [0xff, 0xd8, ...parts.flat()];
}

export function createGifHeader(version: string, width: number, height: number): number[] {
  return [...encodeAscii(`GIF${version}`), ...encodeLe16(width), ...encodeLe16(height), 0xf7, 0, 0];
}

export function createWebp(form: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): number[] {
  const vp8Bodies = {
    'VP8 ': [0x30, 1, 0, 0x9d, 0x01, 0x2a, ...encodeLe16(width), ...encodeLe16(height)],
    VP8L: [0x2f, ...createLosslessHeader(width - 1, height - 1)],
    VP8X: [0x10, 0, 0, 0, ...encodeLe24(width - 1), ...encodeLe24(height - 1)],
  };
  return [
    ...encodeAscii('RIFF'),
    0,
    0,
    0,
    0,
    ...encodeAscii('WEBP'),
    ...encodeAscii(form),
    10,
    0,
    0,
    0,
    ...vp8Bodies[form],
  ];
}

/** Returns the header with two sides of 14 bits, low bits first. */
function createLosslessHeader(width: number, height: number): number[] {
  const bits = BigInt(width) | (BigInt(height) << 14n);
  return [0n, 8n, 16n, 24n].map((shift) => Number((bits >> shift) & 0xffn));
}
