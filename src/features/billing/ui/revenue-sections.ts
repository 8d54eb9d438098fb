import { formatInteger, formatMonth, formatPercentWith } from '../../../ui/kit/formats.ts';
import type { RevenueFile, RevenueResponse } from '../contract.ts';
import { formatMinorUnits } from '../minor-units.ts';
import type { BarChartProps } from './bar-chart.tsx';
import { tierNames } from './plan-labels.ts';

/** Charts of one part of revenue, and a table of the same figures. */
export interface RevenueSection {
  file: RevenueFile;
  title: string;
  /** Column headers. The first is that of the row names. */
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  /** Number of leading columns that contain text instead of figures (default 1). */
  labelColumnCount?: number;
  charts: readonly Omit<BarChartProps, 'description'>[];
}

/** Maximum number of months in a chart, newest first. The table has all months. */
const MAX_CHART_MONTHS = 12;

const sum = (figures: readonly number[]): number => figures.reduce((total, figure) => total + figure, 0);
const toMonthLabel = (day: string): string => formatMonth(day.slice(0, 7));
const formatShare = (count: number, total: number): string =>
  total === 0 ? '–' : formatPercentWith((count / total) * 100, 0, 0);

const groupRows = <Row>(rows: readonly Row[], getKey: (row: Row) => string) => [...Map.groupBy(rows, getKey)];

const takeNewest = <Row>(rows: readonly Row[]): Row[] => rows.slice(-MAX_CHART_MONTHS);

/** Returns the recurring revenue at each month's end and its movements, one chart for each currency. */
export function createRecurringSection({ mrr }: RevenueResponse): RevenueSection {
  const charts = groupRows(mrr, ({ currency }) => currency).flatMap(([currency, months]) => [
    {
      title: `Monthly recurring revenue at month end, ${currency}`,
      bars: takeNewest(months).map(({ month, end_minor: end }) => ({
        label: toMonthLabel(month),
        values: [end],
        valueText: formatMinorUnits(end, currency),
      })),
    },
    {
      title: `Gains and losses by month, ${currency}`,
      bars: takeNewest(months).map((row) => {
        const gained = row.new_minor + row.expansion_minor + row.reactivation_minor;
        const lost = row.contraction_minor + row.churn_minor;
        const valueText = `+${formatMinorUnits(gained, currency)}, ${formatMinorUnits(lost, currency)}`;
        return { label: toMonthLabel(row.month), values: [gained, lost], valueText };
      }),
    },
  ]);
  return {
    file: 'mrr',
    title: 'Movements by month',
    charts,
    columns: ['Month', 'Start', 'New', 'Expansion', 'Reactivation', 'Contraction', 'Churn', 'End'],
    rows: mrr
      .toReversed()
      .map(({ month, currency, ...amounts }) => [
        `${toMonthLabel(month)}, ${currency}`,
        ...[amounts.start_minor, amounts.new_minor, amounts.expansion_minor, amounts.reactivation_minor].map((figure) =>
          formatMinorUnits(figure, currency),
        ),
        ...[amounts.contraction_minor, amounts.churn_minor, amounts.end_minor].map((figure) =>
          formatMinorUnits(figure, currency),
        ),
      ]),
  };
}

const NET_TITLES = { source: 'By entry source', bucket: 'By conversion channel', tier: 'By plan' } as const;
const BUCKET_LABELS: Readonly<Record<string, string>> = {
  proactive_watchlist: 'Proactive · Watchlist',
  other: 'Other',
};

function getNetLabel(file: keyof typeof NET_TITLES, label: string): string {
  if (file === 'bucket') return BUCKET_LABELS[label] ?? label;
  if (file === 'tier') return (tierNames as Record<string, string>)[label] ?? label;
  return label;
}

/** Returns the net revenue by one grouping, one chart for each currency. */
export function createNetSection(revenue: RevenueResponse, file: keyof typeof NET_TITLES): RevenueSection {
  const labelled = revenue[file].map(({ label, ...row }) => ({
    ...row,
    label: getNetLabel(file, label),
  }));
  return {
    file,
    title: NET_TITLES[file],
    charts: groupRows(labelled, ({ currency }) => currency).map(([currency, rows]) => ({
      title: `Net revenue ${NET_TITLES[file].toLowerCase()}, ${currency}`,
      bars: rows.map(({ label, net_minor: net }) => ({
        label,
        values: [net],
        valueText: formatMinorUnits(net, currency),
      })),
    })),
    columns: [
      NET_TITLES[file].replace('By ', '').replace(/^\w/, (first) => first.toUpperCase()),
      'Net revenue',
      'New subscriptions',
    ],
    rows: labelled.map(({ label, currency, net_minor: net, new_subscriptions: newSubscriptions }) => [
      `${label}, ${currency}`,
      formatMinorUnits(net, currency),
      formatInteger(newSubscriptions),
    ]),
  };
}

const STEPS = [
  ['clicked', 'Asked to upgrade'],
  ['viewed_plans', 'Saw the plans'],
  ['viewed_modal', 'Saw confirmation'],
  ['confirmed', 'Confirmed'],
  ['started', 'Started checkout'],
  ['paid', 'Paid'],
] as const;

/** Returns the conversion funnel by entry source. */
export function createFunnelSection({ funnel }: RevenueResponse): RevenueSection {
  const sources = groupRows(funnel, ({ label }) => label).map(([label, days]) => {
    const counts = STEPS.map(([step]) => sum(days.map((day) => day[step])));
    return { label, counts, maxCount: Math.max(...counts) };
  });
  return {
    file: 'funnel',
    title: 'Steps by entry source',
    charts: sources.map(({ label, counts, maxCount }) => ({
      title: label,
      bars: STEPS.map(([, name], index) => ({
        label: name,
        values: [counts[index]!],
        valueText: `${formatInteger(counts[index]!)} · ${formatShare(counts[index]!, maxCount)}`,
      })),
    })),
    columns: ['Entry source', ...STEPS.map(([, name]) => name)],
    rows: sources.map(({ label, counts }) => [label, ...counts.map(formatInteger)]),
  };
}

/** Returns payers by the month and source of their first subscription. */
export function createCohortSection({ cohorts }: RevenueResponse): RevenueSection {
  const months = groupRows(cohorts, ({ month }) => month);
  return {
    file: 'cohorts',
    title: 'Payers by first month',
    charts: [
      {
        title: 'Share of payers who still pay, by first month',
        bars: takeNewest(months).map(([month, rows]) => {
          const payerCount = sum(rows.map(({ payers }) => payers));
          const payingCount = sum(rows.map((row) => row.paying_now));
          return {
            label: toMonthLabel(month),
            values: [payerCount === 0 ? 0 : payingCount / payerCount],
            valueText: `${payingCount} of ${payerCount}`,
          };
        }),
      },
    ],
    labelColumnCount: 2,
    columns: ['First month', 'Entry source', 'Payers', 'Paying now', 'Monthly total now'],
    rows: cohorts
      .toReversed()
      .map(({ month, label, currency, payers, paying_now: now, mrr_minor: mrr }) => [
        toMonthLabel(month),
        label,
        formatInteger(payers),
        formatInteger(now),
        formatMinorUnits(mrr, currency),
      ]),
  };
}
