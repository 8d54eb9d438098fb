import type { ServiceSql } from '../../platform/database/roles.ts';
import { BYTE_ORDER_MARK, formatCsvLine } from '../../platform/http/csv.ts';
import { getSourceBucket, getSourceLabel } from './entry-sources.ts';
import type { NetRevenue } from './contract.ts';
import { type NetRow, type ReportName, selectNet, selectReport, type DateRange } from './revenue-queries.ts';

export const groupings = ['source', 'bucket', 'tier'] as const;
export type Grouping = (typeof groupings)[number];

const LABELS_BY_GROUPING: Readonly<
  Record<Grouping, (row: NetRow) => Pick<NetRevenue, 'label' | 'bucket' | 'entry_source'>>
> = {
  source: ({ entry_source: entry }) => ({
    label: getSourceLabel(entry),
    bucket: getSourceBucket(entry),
    entry_source: entry,
  }),
  bucket: ({ entry_source: entry }) => ({
    label: getSourceBucket(entry),
    bucket: getSourceBucket(entry),
    entry_source: null,
  }),
  tier: ({ tier }) => ({ label: tier ?? 'unknown', bucket: null, entry_source: null }),
};

/** Returns the net revenue of the days, one row for each group and currency. Currencies are never added up. */
async function reportRevenue(sql: ServiceSql, range: DateRange, by: Grouping): Promise<NetRevenue[]> {
  const rows = new Map<string, NetRevenue>();
  for (const netRow of await selectNet(sql, range)) {
    const labels = LABELS_BY_GROUPING[by](netRow);
    const key = `${labels.label}\n${netRow.currency}`;
    const row = rows.get(key) ?? { ...labels, currency: netRow.currency, net_minor: 0, new_subscriptions: 0 };
    row.net_minor += netRow.net_minor;
    row.new_subscriptions += netRow.new_subscriptions;
    rows.set(key, row);
  }
  return [...rows.values()].toSorted((a, b) => a.currency.localeCompare(b.currency) || b.net_minor - a.net_minor);
}

type Row = Readonly<Record<string, string | number | null>>;

/** Returns one part of revenue in the range: net revenue by a grouping, or another report with labeled sources. */
export async function readRevenue(sql: ServiceSql, name: Grouping | ReportName, range: DateRange): Promise<Row[]> {
  switch (name) {
    case 'source':
    case 'bucket':
    case 'tier':
      return reportRevenue(sql, range, name);
    case 'mrr':
      return selectReport(sql, name, range);
    case 'funnel':
    case 'cohorts':
      return (await selectReport(sql, name, range)).map((row) => ({
        label: getSourceLabel(row['entry_source'] as string | null),
        ...row,
      }));
  }
}

/**
 * Formats rows of a report as CSV with a header. Without rows the header is `name`. Cells are escaped against formula
 * injection.
 */
export function revenueCsv(rows: readonly Row[], name: string): string {
  const columns = Object.keys(rows[0] ?? { [name]: null });
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))];
  return BYTE_ORDER_MARK + lines.map(formatCsvLine).join('');
}
