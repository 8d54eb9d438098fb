import { type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode, useId, useState } from 'react';
import { computeChartScale, toFractionFromTop } from './chart-scale.ts';
import { listTimeTicks, placeInTime } from './chart-time.ts';

/** Size of the drawing in its own units. The drawing scales to its container. */
const SIZE = 1000;

interface ChartPoint {
  /** YYYY-MM-DD. Points are in this order, and their distance is in proportion to time. */
  date: string;
  value: number;
  /** Draws a ring at the point. */
  isMarked?: boolean;
  /** Text beside the ring. */
  label?: { text: string; isOmittedIfNarrow: boolean } | undefined;
}

interface LineChartProps {
  /** Accessible name of the slider over the points. */
  label: string;
  points: readonly ChartPoint[];
  /** Second line over the same time, without details. */
  comparison?: readonly Pick<ChartPoint, 'date' | 'value'>[];
  /** Number of points that Page Up and Page Down move. */
  pageStep: number;
  /** Describes a point for screen readers. */
  describePoint: (index: number) => string;
  /** Shows the selected point beside the crosshair. */
  renderDetails: (index: number) => ReactNode;
  /** Formats the value of a grid line. */
  formatValue: (value: number) => string;
  /** Draws a dashed line at a value. */
  dashedValue?: number | null;
  /** Shows the line as an unreadable blur that nothing can select. */
  hidden?: boolean;
  /** Classes for height and colour. */
  className: string;
}

/**
 * Shows values as a line over round values and dates. Pointer or the keys of a slider select a point, whose details stand
 * beside a crosshair.
 */
export function LineChart({
  label,
  points,
  comparison = [],
  pageStep,
  describePoint,
  renderDetails,
  formatValue,
  dashedValue = null,
  hidden = false,
  className,
}: LineChartProps) {
  const [activeIndex, setActiveIndex] = useState<number | null>(null);
  const gradientId = useId();
  const lastIndex = points.length - 1;
  const currentIndex = Math.min(activeIndex ?? lastIndex, lastIndex);
  const scale = computeChartScale([
    ...[...points, ...comparison].map(({ value }) => value),
    ...(dashedValue === null ? [] : [dashedValue]),
  ]);
  const firstDate = points[0]!.date;
  const lastDate = points[lastIndex]!.date;
  const places = placeInTime(points.map(({ date }) => date));
  const toTop = (value: number): number => toFractionFromTop(value, scale);
  const toY = (value: number): number => Math.round(toTop(value) * SIZE);
  const toX = (place: number): number => Math.round(place * SIZE);
  const comparedPlaces = placeInTime([firstDate, ...comparison.map(({ date }) => date), lastDate]).slice(1);
  const toLine = (values: readonly { value: number }[], placesInTime: readonly number[]): string =>
    values.map(({ value }, index) => `${index === 0 ? 'M' : 'L'}${toX(placesInTime[index]!)} ${toY(value)}`).join('');
  const line = toLine(points, places);
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
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    setActiveIndex(Math.max(0, Math.min(lastIndex, next)));
  }

  function onPointer(event: PointerEvent): void {
    const box = event.currentTarget.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width;
    const distance = (index: number): number => Math.abs(places[index]! - x);
    setActiveIndex(points.reduce((nearest, _, index) => (distance(index) < distance(nearest) ? index : nearest), 0));
  }

  const drawing = (
    <svg
      viewBox={`0 0 ${SIZE} ${SIZE}`}
      preserveAspectRatio="none"
      fill="none"
      aria-hidden="true"
      className="absolute inset-0 h-full w-full overflow-visible *:[vector-effect:non-scaling-stroke]"
    >
      <linearGradient id={gradientId} x2="0" y2="1">
        <stop stopColor="currentColor" stopOpacity="0.16" />
        <stop offset="1" stopColor="currentColor" stopOpacity="0" />
      </linearGradient>
      {lines.map(({ value }) => (
        <path key={value} d={`M0 ${toY(value)}H${SIZE}`} stroke="var(--color-line)" />
      ))}
      {dashedValue !== null && (
        <path d={`M0 ${toY(dashedValue)}H${SIZE}`} stroke="var(--color-ink-faint)" strokeDasharray="4 3" />
      )}
      <path d={`${line}V${SIZE}H0`} fill={`url(#${gradientId})`} />
      <path
        d={toLine(comparison, comparedPlaces)}
        stroke="var(--color-ink-soft)"
        strokeWidth="1.5"
        strokeDasharray="5 3"
      />
      <path d={line} stroke="currentColor" strokeWidth="1.75" strokeLinejoin="round" strokeLinecap="round" />
      {points.flatMap(({ date, value, isMarked }, index) => {
        const place = { x: toX(places[index]!), y: toY(value) };
        if (!isMarked) return [];
        return [
          <Dot key={date} {...place} color="currentColor" width={8} />,
          <Dot key={`in ${date}`} {...place} color="var(--color-surface)" width={4} />,
        ];
      })}
      {activePoint && (
        <>
          <path
            d={`M${toX(places[currentIndex]!)} 0V${SIZE}`}
            stroke="var(--color-line-strong)"
            strokeDasharray="3 3"
          />
          <Dot x={toX(places[currentIndex]!)} y={toY(activePoint.value)} color="var(--color-mark)" width={9} />
        </>
      )}
    </svg>
  );
  if (hidden) return <div className={`relative blur-[0.625rem] ${className}`}>{drawing}</div>;
  return (
    <div className={`grid grid-cols-[1fr_auto] grid-rows-[1fr_auto] gap-x-2 ${className}`}>
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={lastIndex}
        aria-valuenow={currentIndex}
        aria-valuetext={describePoint(currentIndex)}
        className="@container relative touch-pan-y rounded-control outline-offset-0"
        onKeyDown={onKeyDown}
        onBlur={() => setActiveIndex(null)}
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        onPointerLeave={() => setActiveIndex(null)}
      >
        {drawing}
        {points.map(
          ({ date, value, label: words }, index) =>
            words && (
              <span
                key={date}
                aria-hidden="true"
                className={
                  'pointer-events-none absolute rounded-control bg-surface px-1 text-micro whitespace-nowrap ' +
                  `text-ink-soft first-letter:uppercase ${words.isOmittedIfNarrow ? '@max-[30rem]:hidden' : ''}`
                }
                style={placeBeside(places[index]!, toTop(value))}
              >
                {words.text}
              </span>
            ),
        )}
        {activePoint && (
          <div
            data-chart-details
            aria-hidden="true"
            className={
              'pointer-events-none absolute z-1 w-max rounded-control border border-line bg-raised px-3 py-1.5 text-small ' +
              'text-ink-soft shadow-raised'
            }
            style={{
              ...placeInside(places[currentIndex]!),
              // The details leave the line near the point visible.
              [toTop(activePoint.value) < 0.5 ? 'bottom' : 'top']: 0,
            }}
          >
            {renderDetails(currentIndex)}
          </div>
        )}
      </div>
      <div aria-hidden="true" className="relative text-end text-micro text-ink-faint">
        <span className="invisible">{longestText}</span>
        {lines.map(({ value, text }) => (
          <span key={value} className="absolute end-0 -translate-y-1/2" style={{ top: toPercent(toTop(value)) }}>
            {text}
          </span>
        ))}
      </div>
      <div aria-hidden="true" className="@container relative h-7 text-micro text-ink-faint">
        {listTimeTicks(firstDate, lastDate).map(({ date, x, text, isMinor }) => (
          <span
            key={date}
            className={`absolute bottom-0 whitespace-nowrap ${isMinor ? '@max-[30rem]:hidden' : ''}`}
            style={placeInside(x)}
          >
            {text}
          </span>
        ))}
      </div>
    </div>
  );
}

const toPercent = (fraction: number): string => `${fraction * 100}%`;

/** Returns the style that places an element at a fraction of the width, moved as far as it needs to stay inside. */
const placeInside = (x: number): CSSProperties => ({ left: toPercent(x), translate: toPercent(-x) });

/** Returns the style of words above a point, or below one at the top. */
const placeBeside = (x: number, top: number): CSSProperties => ({
  left: toPercent(x),
  top: toPercent(top),
  translate: `${toPercent(-x)} ${top < 0.15 ? '0.5rem' : 'calc(-100% - 0.5rem)'}`,
});

/** A line without length, whose round end keeps its shape at every size of the drawing. */
const Dot = ({ x, y, color, width }: { x: number; y: number; color: string; width: number }) => (
  <path d={`M${x} ${y}h0.01`} stroke={color} strokeWidth={width} strokeLinecap="round" />
);
