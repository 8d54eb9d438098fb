import { encodeQR } from 'qr';

/** The light edge that scanners need around a code, in modules. */
const QUIET_ZONE_MODULES = 4;

/** A text as a QR code: its dark modules as an SVG path, and the side of its square with the light edge, in modules. */
export function drawQr(text: string): { path: string; size: number } {
  const rows = encodeQR(text, 'raw', { border: QUIET_ZONE_MODULES });
  const path = rows.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')).join('')).join('');
  return { path, size: rows.length };
}
