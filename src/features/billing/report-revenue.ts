import type { ServiceSql } from '../../platform/database/roles.ts';
import { BYTE_ORDER_MARK, csvLine } from '../../platform/http/csv.ts';
import { bucketOf, labelOf } from './bucket.ts';
import type { NetRevenue } from './contract.ts';
import { type NetRow, type ReportName, selectNet, selectReport, type Span } from './revenue-queries.ts';

export const groupings = ['source', 'bucket', 'tier'] as const;
export type Grouping = (typeof groupings)[number];

const NAMES: Readonly<Record<Grouping, (row: NetRow) => Pick<NetRevenue, 'label' | 'bucket' | 'entry_source'>>> = {
  source: ({ entry_source: entry }) => ({ label: labelOf(entry), bucket: bucketOf(entry), entry_source: entry }),
  bucket: ({ entry_source: entry }) => ({ label: bucketOf(entry), bucket: bucketOf(entry), entry_source: null }),
  tier: ({ tier }) => ({ label: tier ?? 'unknown', bucket: null, entry_source: null }),
};

/** Net revenue of the days, a row for each group and currency; currencies are never added up. */
async function reportRevenue(sql: ServiceSql, span: Span, by: Grouping): Promise<NetRevenue[]> {
  const rows = new Map<string, NetRevenue>();
  for (const net of await selectNet(sql, span)) {
    const names = NAMES[by](net);
    const key = `${names.label}\n${net.currency}`;
    const row = rows.get(key) ?? { ...names, currency: net.currency, net_minor: 0, new_subscriptions: 0 };
    row.net_minor += net.net_minor;
    row.new_subscriptions += net.new_subscriptions;
    rows.set(key, row);
  }
  return [...rows.values()].toSorted((a, b) => a.currency.localeCompare(b.currency) || b.net_minor - a.net_minor);
}

type Row = Readonly<Record<string, string | number | null>>;

/** One part of revenue in the span: net revenue by a grouping, or another report, whose sources have their names. */
export async function readRevenue(sql: ServiceSql, name: Grouping | ReportName, span: Span): Promise<Row[]> {
  switch (name) {
    case 'source':
    case 'bucket':
    case 'tier':
      return reportRevenue(sql, span, name);
    case 'mrr':
      return selectReport(sql, name, span);
    case 'funnel':
    case 'cohorts':
      return (await selectReport(sql, name, span)).map((row) => ({
        label: labelOf(row['entry_source'] as string | null),
        ...row,
      }));
  }
}

/** Rows of a report as CSV below their names; `name` alone where there are none. No text runs as a formula. */
export function revenueCsv(rows: readonly Row[], name: string): string {
  const columns = Object.keys(rows[0] ?? { [name]: null });
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))];
  return BYTE_ORDER_MARK + lines.map(csvLine).join('');
}
