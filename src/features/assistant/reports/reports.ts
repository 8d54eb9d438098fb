import { AHEAD_DAYS } from '../../../market-data/services/earnings/list-reports.ts';
import type { Report, ReportKind } from '../contract.ts';
import { formatSymbolNotFound } from '../tools/member-symbol.ts';
import type { ToolContext } from '../tools/tool-context.ts';
import type { ReportDraft } from './draft.ts';
import { draftNewsReport, draftWatchlistReport, draftNetWorthReport, draftUpcomingReports } from './list-reports.ts';
import { draftPositionReport, draftSymbolNewsReport, draftMoveReport } from './ticker-reports.ts';

/** All plain reports in the order of the menu. */
export const reportTitles: Readonly<Record<ReportKind, { title: string; takes_symbol: boolean }>> = {
  why_moving: { title: 'Why is it moving?', takes_symbol: true },
  whats_new: { title: 'What’s new?', takes_symbol: true },
  position: { title: 'How is my position doing?', takes_symbol: true },
  list_today: { title: 'How did my watchlist do today?', takes_symbol: false },
  reports_ahead: { title: 'Which earnings are upcoming?', takes_symbol: false },
  net_worth_change: { title: 'How has my net worth changed?', takes_symbol: false },
};

/** What a model would add to the reports, for clients of the API. No screen shows it, since members connect none. */
export const MODEL_HINT =
  'With a model connected, the assistant also answers questions in your own words, follows up on them and compares ' +
  'news with figures.';

interface ReportOptions {
  symbol?: string | undefined;
  days?: number | undefined;
}

type ReportResult =
  | { ok: true; report: Omit<Report, 'with_model'> }
  | { ok: false; reason: 'needs_symbol' }
  | { ok: false; reason: 'not_yours'; message: string };

/** Calendar days of the net worth report. Upcoming earnings have the days of the dashboard's card. */
const NET_WORTH_DAYS = 30;

/**
 * Writes a report from the results of the tools. The news report needs no symbol. Reports on a move or a position need
 * one.
 */
export async function writeReport(
  context: ToolContext,
  kind: ReportKind,
  { symbol, days }: ReportOptions,
): Promise<ReportResult> {
  const symbolReports = {
    why_moving: draftMoveReport,
    whats_new: draftSymbolNewsReport,
    position: draftPositionReport,
  };
  let draft: ReportDraft | undefined;
  switch (kind) {
    case 'why_moving':
    case 'whats_new':
    case 'position':
      if (symbol === undefined && kind !== 'whats_new') return { ok: false, reason: 'needs_symbol' };
      draft = symbol === undefined ? await draftNewsReport(context) : await symbolReports[kind](context, symbol);
      break;
    case 'list_today':
      draft = await draftWatchlistReport(context);
      break;
    case 'reports_ahead':
      draft = await draftUpcomingReports(context, days ?? AHEAD_DAYS);
      break;
    case 'net_worth_change':
      draft = await draftNetWorthReport(context, days ?? NET_WORTH_DAYS);
      break;
  }
  if (!draft) return { ok: false, reason: 'not_yours', message: formatSymbolNotFound(symbol!) };
  return {
    ok: true,
    report: {
      kind,
      table: null,
      sources: [],
      incomplete: [],
      sample_data: false,
      ...draft,
      as_of: context.now().toISOString(),
    },
  };
}
