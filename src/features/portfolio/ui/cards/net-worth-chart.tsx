import { type KeyboardEvent, type PointerEvent, useMemo, useState } from 'react';
import { formatCompactMoney, formatMoney } from '../../../../ui/kit/formats.ts';
import { formatCalendarDay } from '../../../../ui/shell/market/new-york-time.ts';
import { formatFlows } from './net-worth-change.tsx';
import { toChartCoordinates, computeGridLines, hasMarkedFlow, type NetWorthPoint } from './net-worth-history.ts';

const CHART_BOX = { width: 640, height: 180, inset: 6 };
/** Number of points that a key moves the selection. Beyond the ends the selection stays at the end. */
const stepByKey: Readonly<Record<string, number>> = {
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
  points: readonly NetWorthPoint[];
  currency: string;
  hidden: boolean;
  /** Selected point, or null without a selection. */
  onActivePointChange: (point: NetWorthPoint | null) => void;
}

/** Shows the line of net worth. Pointer or arrow keys select a day. Hidden, it is an unreadable blur. */
export function NetWorthChart({ points, currency, hidden, onActivePointChange }: NetWorthChartProps) {
  const [activeIndex, setActiveIndex] = useState<number | null>(null);
  const coordinates = useMemo(() => toChartCoordinates(points, CHART_BOX), [points]);
  const linePath = coordinates
    .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
    .join('');
  const gridLines = useMemo(() => computeGridLines(points, CHART_BOX), [points]);
  const markedCoordinates = coordinates.filter((_, index) => hasMarkedFlow(points[index]!, index));
  const lastIndex = points.length - 1;
  const activeCoordinates = activeIndex === null ? undefined : coordinates[Math.min(activeIndex, lastIndex)];
  const activePoint = points[Math.min(activeIndex ?? lastIndex, lastIndex)];

  function activate(index: number | null): void {
    const next = index === null ? null : Math.max(0, Math.min(lastIndex, index));
    setActiveIndex(next);
    onActivePointChange(next === null ? null : (points[next] ?? null));
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = stepByKey[event.key];
    if (step === undefined) return;
    event.preventDefault();
    activate((activeIndex ?? lastIndex) + step);
  }

  function onPointerMove(event: PointerEvent): void {
    const bounds = event.currentTarget.getBoundingClientRect();
    const x = ((event.clientX - bounds.left) / bounds.width) * CHART_BOX.width;
    activate(
      coordinates.reduce(
        (nearest, { x: otherX }, index) =>
          Math.abs(otherX - x) < Math.abs((coordinates[nearest]?.x ?? 0) - x) ? index : nearest,
        0,
      ),
    );
  }

  const chart = (
    <svg
      viewBox={`0 0 ${CHART_BOX.width} ${CHART_BOX.height}`}
      preserveAspectRatio="none"
      fill="none"
      aria-hidden="true"
      className="absolute inset-0 h-full w-full overflow-visible text-accent [&_path]:[vector-effect:non-scaling-stroke]"
    >
      {gridLines.map(({ value, y }) => (
        <path key={value} d={`M0 ${y.toFixed(1)}H${CHART_BOX.width}`} stroke="var(--color-line)" />
      ))}
      <path d={linePath} stroke="currentColor" strokeWidth="2" strokeLinejoin="round" strokeLinecap="round" />
      {markedCoordinates.map(({ x, y }) => (
        <g key={x} strokeLinecap="round">
          <path d={`M${x} ${y}h0.01`} stroke="currentColor" strokeWidth="8" />
          <path d={`M${x} ${y}h0.01`} stroke="var(--color-surface)" strokeWidth="4" />
        </g>
      ))}
      {activeCoordinates && (
        <>
          <path d={`M${activeCoordinates.x} 0V${CHART_BOX.height}`} stroke="var(--color-line-strong)" />
          <path
            d={`M${activeCoordinates.x} ${activeCoordinates.y}h0.01`}
            stroke="var(--color-mark)"
            strokeWidth="9"
            strokeLinecap="round"
          />
        </>
      )}
    </svg>
  );
  if (hidden) return <div className="relative min-h-28 flex-1 blur-[0.625rem]">{chart}</div>;
  return (
    <div className="flex min-h-28 flex-1">
      <div aria-hidden="true" className="relative w-12 shrink-0 text-micro text-ink-faint">
        {gridLines.map(({ value, y }) => (
          <span
            key={value}
            className="absolute start-0 -translate-y-1/2"
            style={{ top: `${(y / CHART_BOX.height) * 100}%` }}
          >
            {formatCompactMoney(value, currency)}
          </span>
        ))}
      </div>
      <div
        role="slider"
        tabIndex={0}
        aria-label="Net worth over time"
        aria-valuemin={0}
        aria-valuemax={lastIndex}
        aria-valuenow={Math.min(activeIndex ?? lastIndex, lastIndex)}
        aria-valuetext={activePoint && describePoint(activePoint, activeIndex ?? lastIndex, currency)}
        className="relative flex-1 touch-pan-y rounded-control"
        onKeyDown={onKeyDown}
        onBlur={() => activate(null)}
        onPointerMove={onPointerMove}
        onPointerLeave={() => activate(null)}
      >
        {chart}
      </div>
    </div>
  );
}

/** Formats a day for screen readers: `Nov 20, 2026: $1,900.00, added $900.00`. */
function describePoint(point: NetWorthPoint, index: number, currency: string): string {
  const flows = index > 0 && formatFlows(point.flows ?? 0, currency);
  return `${formatCalendarDay(point.date)}: ${formatMoney(point.total, currency)}${flows ? `, ${flows}` : ''}`;
}
