import { drawQr } from './draw-qr.ts';

/** Shows a text as a QR code, dark on light in either theme because many scanners require this. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { path, size } = drawQr(text);
  return (
    <svg
      role="img"
      aria-label={label}
      data-theme="light"
      className="size-44 rounded-control border border-line bg-raised text-ink forced-color-adjust-none"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
}
