import { useState } from 'react';
import { formatCompactMoney, formatMoney } from '../../../../ui/kit/formats.ts';
import { LineChart } from '../../../../ui/kit/line-chart.tsx';
import { formatCalendarDay } from '../../../../ui/shell/market/new-york-time.ts';
import { formatFlows } from './net-worth-change.tsx';
import { hasMarkedFlow, type NetWorthPoint, placeInTime } from './net-worth-history.ts';

interface NetWorthChartProps {
  /** At least two. */
  points: readonly NetWorthPoint[];
  currency: string;
  hidden: boolean;
  /** Selected point, or null without a selection. */
  onActivePointChange: (point: NetWorthPoint | null) => void;
}

/** Shows the line of net worth. Pointer or arrow keys select a day. Hidden, it is an unreadable blur. */
export function NetWorthChart({ points, currency, hidden, onActivePointChange }: NetWorthChartProps) {
  const [activeIndex, setActiveIndex] = useState<number | null>(null);
  const places = placeInTime(points);
  return (
    <LineChart
      label="Net worth over time"
      points={points.map((point, index) => ({
        x: places[index]!,
        value: point.total,
        isMarked: hasMarkedFlow(point, index),
      }))}
      activeIndex={activeIndex}
      onActiveIndexChange={(index) => {
        setActiveIndex(index);
        onActivePointChange(index === null ? null : points[index]!);
      }}
      pageStep={7}
      describePoint={(index) => describePoint(points[index]!, index, currency)}
      formatValue={(value) => formatCompactMoney(value, currency)}
      hidden={hidden}
      className="min-h-28 flex-1 text-accent"
    />
  );
}

/** Formats a day for screen readers: `Nov 20, 2026: $1,900.00, added $900.00`. */
function describePoint(point: NetWorthPoint, index: number, currency: string): string {
  const flows = index > 0 && formatFlows(point.flows ?? 0, currency);
  return `${formatCalendarDay(point.date)}: ${formatMoney(point.total, currency)}${flows ? `, ${flows}` : ''}`;
}
