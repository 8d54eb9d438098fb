import type { KeyboardEvent, PointerEvent } from 'react';
import { computeChartScale, toFractionFromTop } from './chart-scale.ts';

/** Size of the drawing in its own units. The drawing scales to its container. */
const SIZE = 1000;

export interface ChartPoint {
  /** Position from 0 (start) to 1 (end). Points are in this order. */
  x: number;
  value: number;
  /** Draws a ring at the point. */
  isMarked?: boolean;
}

interface LineChartProps {
  /** Accessible name of the slider over the points. */
  label: string;
  points: readonly ChartPoint[];
  /** Index of the selected point. Null selects none. */
  activeIndex: number | null;
  onActiveIndexChange: (activeIndex: number | null) => void;
  /** Number of points that Page Up and Page Down move. */
  pageStep: number;
  /** Describes a point for screen readers. */
  describePoint: (index: number) => string;
  /** Formats the value of a grid line. */
  formatValue: (value: number) => string;
  /** Draws a dashed line at a value. */
  dashedValue?: number | null;
  /** Shows the line as an unreadable blur that nothing can select. */
  hidden?: boolean;
  /** Classes for height and colour. */
  className: string;
}

/** Shows values as a line over round values. The crosshair follows the pointer or the keys of a slider. */
export function LineChart({
  label,
  points,
  activeIndex,
  onActiveIndexChange,
  pageStep,
  describePoint,
  formatValue,
  dashedValue = null,
  hidden = false,
  className,
}: LineChartProps) {
  const lastIndex = points.length - 1;
  const currentIndex = Math.min(activeIndex ?? lastIndex, lastIndex);
  const values = points.map(({ value }) => value);
  const scale = computeChartScale(dashedValue === null ? values : [...values, dashedValue]);
  const toX = ({ x }: ChartPoint): number => Math.round(x * SIZE);
  const toY = (value: number): number => Math.round(toFractionFromTop(value, scale) * SIZE);
  const line = points.map((point, index) => `${index === 0 ? 'M' : 'L'}${toX(point)} ${toY(point.value)}`).join('');
  const lines = scale.lines.map((value) => ({ value, text: formatValue(value) }));
  const longestText = lines.reduce((longest, { text }) => (text.length > longest.length ? text : longest), '');
  const activePoint = activeIndex === null ? undefined : points[currentIndex];

  function onKeyDown(event: KeyboardEvent): void {
    const next = {
      ArrowLeft: currentIndex - 1,
      ArrowDown: currentIndex - 1,
      ArrowRight: currentIndex + 1,
      ArrowUp: currentIndex + 1,
      PageDown: currentIndex - pageStep,
      PageUp: currentIndex + pageStep,
      Home: 0,
      End: lastIndex,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onActiveIndexChange(Math.max(0, Math.min(lastIndex, next)));
  }

  function onPointer(event: PointerEvent): void {
    const box = event.currentTarget.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width;
    const distance = (index: number): number => Math.abs(points[index]!.x - x);
    onActiveIndexChange(
      points.reduce((nearest, _, index) => (distance(index) < distance(nearest) ? index : nearest), 0),
    );
  }

  const drawing = (
    <svg
      viewBox={`0 0 ${SIZE} ${SIZE}`}
      preserveAspectRatio="none"
      fill="none"
      aria-hidden="true"
      className="absolute inset-0 h-full w-full overflow-visible *:[vector-effect:non-scaling-stroke]"
    >
      {lines.map(({ value }) => (
        <path key={value} d={`M0 ${toY(value)}H${SIZE}`} stroke="var(--color-line)" />
      ))}
      {dashedValue !== null && (
        <path d={`M0 ${toY(dashedValue)}H${SIZE}`} stroke="var(--color-ink-faint)" strokeDasharray="4 3" />
      )}
      <path d={line} stroke="currentColor" strokeWidth="1.75" strokeLinejoin="round" strokeLinecap="round" />
      {points
        .filter(({ isMarked }) => isMarked)
        .flatMap((point) => [
          <Dot key={point.x} x={toX(point)} y={toY(point.value)} color="currentColor" width={8} />,
          <Dot key={`in ${point.x}`} x={toX(point)} y={toY(point.value)} color="var(--color-surface)" width={4} />,
        ])}
      {activePoint && (
        <>
          <path d={`M${toX(activePoint)} 0V${SIZE}`} stroke="var(--color-line-strong)" strokeDasharray="3 3" />
          <Dot x={toX(activePoint)} y={toY(activePoint.value)} color="var(--color-mark)" width={9} />
        </>
      )}
    </svg>
  );
  if (hidden) return <div className={`relative blur-[0.625rem] ${className}`}>{drawing}</div>;
  return (
    <div className={`grid grid-cols-[1fr_auto] gap-2 ${className}`}>
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={lastIndex}
        aria-valuenow={currentIndex}
        aria-valuetext={describePoint(currentIndex)}
        className="relative touch-pan-y rounded-control"
        onKeyDown={onKeyDown}
        onBlur={() => onActiveIndexChange(null)}
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        onPointerLeave={() => onActiveIndexChange(null)}
      >
        {drawing}
      </div>
      <div aria-hidden="true" className="relative text-end text-micro text-ink-faint">
        <span className="invisible">{longestText}</span>
        {lines.map(({ value, text }) => (
          <span
            key={value}
            className="absolute end-0 -translate-y-1/2"
            style={{ top: `${toFractionFromTop(value, scale) * 100}%` }}
          >
            {text}
          </span>
        ))}
      </div>
    </div>
  );
}

/** A line without length, whose round end keeps its shape at every size of the drawing. */
const Dot = ({ x, y, color, width }: { x: number; y: number; color: string; width: number }) => (
  <path d={`M${x} ${y}h0.01`} stroke={color} strokeWidth={width} strokeLinecap="round" />
);
