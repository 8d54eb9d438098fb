import type { MarketSession } from '../../../market-data/domain/market-data-provider.ts';
import type { Article, Report } from '../../portfolio/dashboard/contract.ts';
import type { MemberSymbol } from '../tools/member-symbol.ts';
import { formatChange } from '../../../ui/kit/formats.ts';
import {
  formatCalendarDay,
  formatEastern,
  formatMarketDaysAhead,
  formatNewYorkDay,
} from '../../../ui/kit/new-york-time.ts';
import { formatPrice } from '../../../ui/kit/price-formats.ts';
import { formatEstimate, formatUnsignedChange } from './formats.ts';

/** Formats a price with its change and its time. */
export function formatQuoteLine({ quote, name }: MemberSymbol, now: Date, session?: MarketSession): string {
  const { symbol, price: value, change_1d: change, price_at: at } = quote;
  const title = name === symbol ? symbol : `${name} (${symbol})`;
  if (value === null) return `There is no price for ${title} yet.`;
  const priceText = formatPrice(value, quote);
  const asOfText =
    at === null ? '' : ` (as of ${formatEastern(new Date(at), now)}${session ? `; ${SESSION_LABELS[session]}` : ''})`;
  if (change === null) return `${title} is at ${priceText}${asOfText}. No daily change is available.`;
  const isToday = at !== null && formatNewYorkDay(new Date(at)) === formatNewYorkDay(now);
  const dateText = at === null ? '' : `on ${formatCalendarDay(formatNewYorkDay(new Date(at)))}`;
  const dayText = isToday ? 'today' : dateText;
  const verb = isToday || at === null ? 'is' : 'was';
  const changeText =
    Math.abs(change) < 0.005 ? 'unchanged' : `${change > 0 ? 'up' : 'down'} ${formatUnsignedChange(change)}`;
  return `${title} ${verb} ${changeText}${dayText && ` ${dayText}`} at ${priceText}${asOfText}.`;
}

const SESSION_LABELS = {
  pre: 'before the market opens',
  open: 'market open',
  post: 'after the close',
  closed: 'market closed',
};

/** Formats the date of an earnings report. */
export function formatReportLine(report: Report): string {
  const estimateText = report.estimated ? ' (an estimate)' : '';
  const timeText = TIME_LABELS[report.when ?? 'unknown'];
  const epsText = report.eps_estimate === null ? '' : ` Analysts expect ${formatEstimate(report)} a share.`;
  return `${report.symbol} reports on ${formatCalendarDay(report.date)}${estimateText}${timeText}, ${formatMarketDaysAhead(report.date, report.market_days)}.${epsText}`;
}

const TIME_LABELS = { bmo: ' before the market opens', amc: ' after the close', unknown: '' };

/** Formats a move as "NVDA +3.20%". */
export const formatMove = ({ symbol, change_1d: change }: { symbol: string; change_1d: number }): string =>
  `${symbol} ${formatChange(change)}`;

/** Formats an article as "“Title” (Publisher, 8:05 AM ET)". */
export const formatArticleLine = ({ title, source, published_at: at }: Article, now: Date): string =>
  `“${title}” (${source}, ${formatEastern(new Date(at), now)})`;
