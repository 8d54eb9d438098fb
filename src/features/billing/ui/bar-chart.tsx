import { useId } from 'react';

interface Bar {
  label: string;
  /** Values of one unit for the whole chart. Negative values are drawn to the left of the axis and hatched. */
  values: readonly number[];
  /** Text of the values after the bar. */
  valueText: string;
}

export interface BarChartProps {
  title: string;
  /** Text alternative of the picture. A table next to the chart shows the same figures. */
  description: string;
  bars: readonly Bar[];
}

const WIDTH = 1000;
const HEIGHT = 20;

/**
 * Shows bars with their names and figures. Gains are filled and losses hatched, so that no color must be distinguished.
 */
export function BarChart({ title, description, bars }: BarChartProps) {
  const id = useId();
  const all = bars.flatMap(({ values }) => values);
  const low = Math.min(0, ...all);
  const high = Math.max(0, ...all);
  const toX = (value: number): number => (high === low ? 0 : ((value - low) / (high - low)) * WIDTH);
  return (
    <div role="img" aria-labelledby={`${id}-title`} aria-describedby={`${id}-text`} className="mt-4 grid gap-1.5">
      <p id={`${id}-title`} className="text-small font-medium">
        {title}
      </p>
      <p id={`${id}-text`} className="sr-only">
        {description}
      </p>
      {bars.map(({ label, values, valueText }) => (
        <div
          key={label}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 sm:grid-cols-[15rem_minmax(0,1fr)_10rem]"
        >
          <span className="truncate text-small text-ink-soft">{label}</span>
          <span className="num text-right text-small sm:order-last">{valueText}</span>
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            className="col-span-2 h-4 w-full sm:col-span-1"
          >
            <defs>
              <pattern id={`${id}-loss`} width="14" height="14" patternUnits="userSpaceOnUse">
                <path d="M0 0H7V14H0Z" fill="var(--color-loss)" />
              </pattern>
            </defs>
            {values.map((value, index) => (
              <rect
                key={index}
                x={Math.min(toX(0), toX(value))}
                width={Math.abs(toX(value) - toX(0))}
                height={HEIGHT}
                fill={value < 0 ? `url(#${id}-loss)` : 'var(--color-accent)'}
              />
            ))}
            <path
              d={`M${toX(0)} 0V${HEIGHT}`}
              stroke="var(--color-line-strong)"
              strokeWidth="2"
              vectorEffect="non-scaling-stroke"
            />
          </svg>
        </div>
      ))}
    </div>
  );
}
