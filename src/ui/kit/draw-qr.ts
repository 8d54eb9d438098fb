import { encodeQR } from 'qr';

/** Width of the light margin that scanners need, in modules. */
const QUIET_ZONE_MODULES = 4;

/**
 * Returns a text as a QR code: its dark modules as an SVG path, and the side length including the margin in modules.
 */
export function drawQr(text: string): { path: string; size: number } {
  const rows = encodeQR(text, 'raw', { border: QUIET_ZONE_MODULES });
  const path = rows.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')).join('')).join('');
  return { path, size: rows.length };
}
