import { type KeyboardEvent, type PointerEvent, useMemo, useState } from 'react';
import { formatCompactMoney, formatMoney } from '../../../../ui/kit/formats.ts';
import { formatCalendarDay } from '../../../../ui/shell/market/new-york-time.ts';
import { chartPlaces, worthLines, type WorthPoint } from './worth-history.ts';

const BOX = { width: 640, height: 180, inset: 6 };
/** By how many points a key goes on; beyond the ends is at them. */
const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -7,
  PageUp: 7,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

interface NetWorthChartProps {
  points: readonly WorthPoint[];
  currency: string;
  hidden: boolean;
  /** The point that is looked at, or null when none is. */
  onLook: (point: WorthPoint | null) => void;
}

/** The line of net worth. A pointer or the arrow keys read any day of it; hidden it is a blur that cannot be read. */
export function NetWorthChart({ points, currency, hidden, onLook }: NetWorthChartProps) {
  const [at, setAt] = useState<number | null>(null);
  const places = useMemo(() => chartPlaces(points, BOX), [points]);
  const line = places.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
  const lines = useMemo(() => worthLines(points, BOX), [points]);
  const last = points.length - 1;
  const place = at === null ? undefined : places[Math.min(at, last)];
  const shown = points[Math.min(at ?? last, last)];

  function look(index: number | null): void {
    const next = index === null ? null : Math.max(0, Math.min(last, index));
    setAt(next);
    onLook(next === null ? null : (points[next] ?? null));
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    look((at ?? last) + step);
  }

  function onPointerMove(event: PointerEvent): void {
    const bounds = event.currentTarget.getBoundingClientRect();
    const x = ((event.clientX - bounds.left) / bounds.width) * BOX.width;
    look(
      places.reduce(
        (best, { x: other }, index) => (Math.abs(other - x) < Math.abs((places[best]?.x ?? 0) - x) ? index : best),
        0,
      ),
    );
  }

  const drawing = (
    <svg
      viewBox={`0 0 ${BOX.width} ${BOX.height}`}
      preserveAspectRatio="none"
      fill="none"
      aria-hidden="true"
      className="absolute inset-0 h-full w-full overflow-visible text-accent *:[vector-effect:non-scaling-stroke]"
    >
      {lines.map(({ value, y }) => (
        <path key={value} d={`M0 ${y.toFixed(1)}H${BOX.width}`} stroke="var(--color-line)" />
      ))}
      <path d={line} stroke="currentColor" strokeWidth="2" strokeLinejoin="round" strokeLinecap="round" />
      {place && (
        <>
          <path d={`M${place.x} 0V${BOX.height}`} stroke="var(--color-line-strong)" />
          <path d={`M${place.x} ${place.y}h0.01`} stroke="var(--color-mark)" strokeWidth="9" strokeLinecap="round" />
        </>
      )}
    </svg>
  );
  if (hidden) return <div className="relative min-h-40 flex-1 blur-[0.625rem]">{drawing}</div>;
  return (
    <div className="flex min-h-40 flex-1">
      <div aria-hidden="true" className="relative w-12 shrink-0 text-micro text-ink-faint">
        {lines.map(({ value, y }) => (
          <span key={value} className="absolute start-0 -translate-y-1/2" style={{ top: `${(y / BOX.height) * 100}%` }}>
            {formatCompactMoney(value, currency)}
          </span>
        ))}
      </div>
      <div
        role="slider"
        tabIndex={0}
        aria-label="Net worth over time"
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={Math.min(at ?? last, last)}
        aria-valuetext={shown && `${formatCalendarDay(shown.date)}: ${formatMoney(shown.total, currency)}`}
        className="relative flex-1 touch-pan-y rounded-control"
        onKeyDown={onKeyDown}
        onBlur={() => look(null)}
        onPointerMove={onPointerMove}
        onPointerLeave={() => look(null)}
      >
        {drawing}
      </div>
    </div>
  );
}
