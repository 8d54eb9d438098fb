import { generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';

/** A text as a QR code: its dark modules as an SVG path from the upper left one on, and how many a side has. */
export function drawQr(text: string): { path: string; size: number } {
  const code = generate(text);
  return { path: toSvgPath(code), size: code.size };
}
