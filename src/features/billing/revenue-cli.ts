import { z } from 'zod';
import {
  createSubcommands,
  defineSubcommand,
  formatTable,
  type ParsedArguments,
  type WithResource,
} from '../../command-line.ts';
import type { Database } from '../../platform/database/connect.ts';
import { groupings, readRevenue, revenueCsv } from './report-revenue.ts';
import type { ReportName } from './revenue-queries.ts';

/** Creates `tally revenue report|mrr|cohorts|funnel`, which print revenue as a table, JSON or CSV. */
export const revenueCommand = (withDatabase: WithResource<Database>) => {
  const createReport = (name: ReportName | 'report') =>
    defineSubcommand(REPORT_OPTIONS, 'a report accepts --from, --to, --json and --csv.', async (options, io) => {
      const query = parseReportQuery(options, name === 'report');
      if (typeof query === 'string') return io.usageError(query);
      const grouping = name === 'report' ? query.by : name;
      const rows = await withDatabase(({ service }) => readRevenue(service, grouping, query));
      return io.succeed(formatReport(rows, query.format, name));
    });
  return createSubcommands({
    name: 'revenue',
    summary: 'Report revenue by entry source, and its changes',
    help: `tally revenue report [--from DAY] [--to DAY] [--by source|bucket|tier] [--json|--csv]
tally revenue mrr|cohorts|funnel [--from DAY] [--to DAY] [--json|--csv]

report   net revenue (paid invoices without tax, less refunds and disputes) and new subscriptions.
mrr      monthly recurring revenue: start + new + expansion + reactivation + contraction + churn = end.
cohorts  payers by the month and source of their first subscription, and what they pay a month now.
funnel   members by the day of their first step to a plan, and how many took each step within 30 days.

Money is in the smallest unit of its currency; currencies are never added. A DAY is YYYY-MM-DD in UTC.
Exit codes: 0 done, 2 usage, 3 the database is unavailable.`,
    subcommands: {
      report: createReport('report'),
      mrr: createReport('mrr'),
      cohorts: createReport('cohorts'),
      funnel: createReport('funnel'),
    },
  });
};

const REPORT_OPTIONS = { from: 'string', to: 'string', by: 'string', json: 'boolean', csv: 'boolean' } as const;

const isDay = (text: string): boolean => z.iso.date().safeParse(text).success;

/** Returns the query, or one sentence that describes the wrong option. */
function parseReportQuery(options: ParsedArguments<typeof REPORT_OPTIONS>, acceptsBy: boolean) {
  const { from, to, by = 'source', json, csv } = options;
  if (from !== undefined && !isDay(from)) return '--from must be a day as YYYY-MM-DD.';
  if (to !== undefined && !isDay(to)) return '--to must be a day as YYYY-MM-DD.';
  if (from !== undefined && to !== undefined && from > to) return '--from must not be after --to.';
  if (options.by !== undefined && !acceptsBy) return 'only report accepts --by.';
  const grouping = groupings.find((name) => name === by);
  if (!grouping) return `--by must be one of: ${groupings.join(', ')}.`;
  if (json && csv) return '--json and --csv exclude each other.';
  const textFormat = csv ? 'csv' : 'table';
  return { from, to, by: grouping, format: json ? 'json' : textFormat } as const;
}

function formatReport(
  rows: Awaited<ReturnType<typeof readRevenue>>,
  format: 'json' | 'csv' | 'table',
  name: ReportName | 'report',
): string {
  if (format === 'json') return `${JSON.stringify(rows)}\n`;
  if (format === 'csv') return revenueCsv(rows, name);
  const columns = Object.keys(rows[0] ?? { [name]: null });
  return formatTable([columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '')))]);
}
