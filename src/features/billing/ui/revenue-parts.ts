import { formatInteger, formatMonth } from '../../../ui/kit/formats.ts';
import type { RevenueFile, RevenueResponse } from '../contract.ts';
import { formatMinorUnits } from '../minor-units.ts';
import type { BarChartProps } from './bar-chart.tsx';
import type { FigureTableProps } from './figure-table.tsx';
import { tierNames } from './plan-words.ts';

/** What is shown of one part of revenue: charts, and the same figures as a table. */
export interface ShownPart extends Omit<FigureTableProps, 'caption'> {
  file: RevenueFile;
  title: string;
  charts: readonly Omit<BarChartProps, 'description'>[];
}

/** Months that a chart has at most, the newest; the table has all. */
const MOST_MONTHS = 12;

const sum = (figures: readonly number[]): number => figures.reduce((all, figure) => all + figure, 0);
const monthOf = (day: string): string => formatMonth(day.slice(0, 7));
const share = (part: number, whole: number): string => (whole === 0 ? '–' : `${Math.round((part / whole) * 100)} %`);

const grouped = <Row>(rows: readonly Row[], nameOf: (row: Row) => string) => [...Map.groupBy(rows, nameOf)];

const newest = <Row>(rows: readonly Row[]): Row[] => rows.slice(-MOST_MONTHS);

/** Recurring revenue at each month's end, and what moved it, a chart for each currency. */
export function recurringPart({ mrr }: RevenueResponse): ShownPart {
  const charts = grouped(mrr, ({ currency }) => currency).flatMap(([currency, months]) => [
    {
      title: `Recurring revenue a month at the end of each, ${currency}`,
      bars: newest(months).map(({ month, end_minor: end }) => ({
        label: monthOf(month),
        values: [end],
        words: formatMinorUnits(end, currency),
      })),
    },
    {
      title: `What was gained and lost in each month, ${currency}`,
      bars: newest(months).map((row) => {
        const gained = row.new_minor + row.expansion_minor + row.reactivation_minor;
        const lost = row.contraction_minor + row.churn_minor;
        const words = `+${formatMinorUnits(gained, currency)}, ${formatMinorUnits(lost, currency)}`;
        return { label: monthOf(row.month), values: [gained, lost], words };
      }),
    },
  ]);
  return {
    ...{ file: 'mrr', title: 'Movements by month', charts },
    columns: ['Month', 'Start', 'New', 'Expansion', 'Reactivation', 'Contraction', 'Churn', 'End'],
    rows: mrr
      .toReversed()
      .map(({ month, currency, ...parts }) => [
        `${monthOf(month)}, ${currency}`,
        ...[parts.start_minor, parts.new_minor, parts.expansion_minor, parts.reactivation_minor].map((figure) =>
          formatMinorUnits(figure, currency),
        ),
        ...[parts.contraction_minor, parts.churn_minor, parts.end_minor].map((figure) =>
          formatMinorUnits(figure, currency),
        ),
      ]),
  };
}

const NET_TITLES = { source: 'By entry source', bucket: 'By way of conversion', tier: 'By plan' } as const;
const BUCKETS: Readonly<Record<string, string>> = { proactive_watchlist: 'Proactive · Watchlist', other: 'Other' };

/** Net revenue by one grouping, a chart for each currency. */
export function netPart(revenue: RevenueResponse, file: keyof typeof NET_TITLES): ShownPart {
  const named = revenue[file].map(({ label, ...row }) => ({
    ...row,
    label:
      (file === 'bucket' ? BUCKETS[label] : file === 'tier' ? (tierNames as Record<string, string>)[label] : label) ??
      label,
  }));
  return {
    ...{ file, title: NET_TITLES[file] },
    charts: grouped(named, ({ currency }) => currency).map(([currency, rows]) => ({
      title: `Net revenue ${NET_TITLES[file].toLowerCase()}, ${currency}`,
      bars: rows.map(({ label, net_minor: net }) => ({ label, values: [net], words: formatMinorUnits(net, currency) })),
    })),
    columns: [
      NET_TITLES[file].replace('By ', '').replace(/^\w/, (first) => first.toUpperCase()),
      'Net revenue',
      'New subscriptions',
    ],
    rows: named.map(({ label, currency, net_minor: net, new_subscriptions: fresh }) => [
      `${label}, ${currency}`,
      formatMinorUnits(net, currency),
      formatInteger(fresh),
    ]),
  };
}

const STEPS = [
  ['clicked', 'Asked to upgrade'],
  ['viewed_plans', 'Saw the plans'],
  ['viewed_modal', 'Was asked to confirm'],
  ['confirmed', 'Confirmed'],
  ['started', 'Began the checkout'],
  ['paid', 'Paid'],
] as const;

/** The way to a paid plan by entry source. */
export function funnelPart({ funnel }: RevenueResponse): ShownPart {
  const sources = grouped(funnel, ({ label }) => label).map(([label, days]) => {
    const counts = STEPS.map(([step]) => sum(days.map((day) => day[step])));
    return { label, counts, most: Math.max(...counts) };
  });
  return {
    ...{ file: 'funnel', title: 'Steps by entry source' },
    charts: sources.map(({ label, counts, most }) => ({
      title: label,
      bars: STEPS.map(([, name], place) => ({
        label: name,
        values: [counts[place]!],
        words: `${formatInteger(counts[place]!)} · ${share(counts[place]!, most)}`,
      })),
    })),
    columns: ['Entry source', ...STEPS.map(([, name]) => name)],
    rows: sources.map(({ label, counts }) => [label, ...counts.map(formatInteger)]),
  };
}

/** Payers by the month and source of their first subscription. */
export function cohortPart({ cohorts }: RevenueResponse): ShownPart {
  const months = grouped(cohorts, ({ month }) => month);
  return {
    ...{ file: 'cohorts', title: 'Payers by their first month' },
    charts: [
      {
        title: 'Who still pays, of those who began in the month',
        bars: newest(months).map(([month, rows]) => {
          const [all, now] = [sum(rows.map(({ payers }) => payers)), sum(rows.map((row) => row.paying_now))];
          return { label: monthOf(month), values: [all === 0 ? 0 : now / all], words: `${now} of ${all}` };
        }),
      },
    ],
    words: 2,
    columns: ['First month', 'Entry source', 'Payers', 'Paying now', 'A month now'],
    rows: cohorts
      .toReversed()
      .map(({ month, label, currency, payers, paying_now: now, mrr_minor: mrr }) => [
        monthOf(month),
        label,
        formatInteger(payers),
        formatInteger(now),
        formatMinorUnits(mrr, currency),
      ]),
  };
}
