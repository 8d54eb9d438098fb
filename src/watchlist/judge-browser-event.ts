import { upgradeSources, type WatchlistEvent } from './contract.ts';

/** Events of ours that a browser sends; the service captures the others where they happen. */
const FROM_BROWSERS: ReadonlySet<string> = new Set<WatchlistEvent>([
  'watchlist_viewed',
  'watchlist_exported',
  'watchlist_limit_reached',
  'watchlist_search_opened',
  'watchlist_sort_changed',
  'watchlist_second_line_changed',
  'watchlist_detail_opened',
  'watchlist_range_changed',
  'watchlist_assistant_asked',
  'watchlist_bought_clicked',
  'upgrade_cta_clicked',
  'dashboard_news_article_clicked',
  'dashboard_earnings_view_all_clicked',
]);
const SOURCES = Object.keys(upgradeSources);

/** Events of pages that belong to no list, which the web app sends too. */
const OTHERS: ReadonlySet<string> = new Set([
  ...['plans_viewed', 'upgrade_modal_viewed', 'upgrade_modal_confirmed', 'upgrade_modal_dismissed'],
]);

/** What is wrong with an event that a browser sends: its name, or the source of a call to upgrade. */
export function judgeBrowserEvent(
  event: string,
  { source }: Readonly<Record<string, unknown>>,
): { path: string; message: string } | undefined {
  if (!FROM_BROWSERS.has(event) && !OTHERS.has(event))
    return { path: 'event', message: 'is none of the events that a browser sends' };
  if (event === 'upgrade_cta_clicked' && !SOURCES.includes(String(source)))
    return { path: 'properties.source', message: `must be one of ${SOURCES.join(', ')}` };
  return undefined;
}
