import { drawQr } from './draw-qr.ts';

/** The light edge that scanners need around a code, in modules. */
const EDGE = 4;

/** A text as a QR code, drawn here: dark on light in either theme, since many scanners read no other. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const code = drawQr(text);
  const size = code.size + 2 * EDGE;
  return (
    <svg
      role="img"
      aria-label={label}
      data-theme="light"
      className="size-44 rounded-control border border-line bg-raised text-ink forced-color-adjust-none"
      viewBox={`${-EDGE} ${-EDGE} ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <path d={code.path} fill="currentColor" />
    </svg>
  );
}
