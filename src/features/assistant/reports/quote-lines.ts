import type { MarketSession } from '../../../market-data/domain/market-data-provider.ts';
import type { Article, Report } from '../../portfolio/dashboard/contract.ts';
import type { KnownSymbol } from '../tools/known-symbol.ts';
import { day, moment, newYorkDay, percent, price } from './phrases.ts';

/** What is said of a price: what it is, how it moved, and as of when. */
export function quoteLine({ quote, name }: KnownSymbol, now: Date, session?: MarketSession): string {
  const { symbol, price: value, currency, change_1d: change, price_at: at } = quote;
  const title = name === symbol ? symbol : `${name} (${symbol})`;
  if (value === null) return `There is no price for ${title} yet.`;
  const figure = quote.price_unit === 'percent_of_par' ? `${value}% of par` : price(value, currency);
  const when = at === null ? '' : ` (as of ${moment(at)}${session ? `; ${SESSIONS[session]}` : ''})`;
  if (change === null) return `${title} stands at ${figure}${when}. Its feed brings no move of the day.`;
  const isToday = at !== null && newYorkDay(at) === newYorkDay(now);
  const dayWord = isToday ? 'today' : at === null ? '' : `on ${day(newYorkDay(at))}`;
  const verb = Math.abs(change) < 0.005 ? 'is unchanged' : `${isToday ? 'is' : 'was'} ${change > 0 ? 'up' : 'down'}`;
  const by = Math.abs(change) < 0.005 ? '' : ` ${Math.abs(change).toFixed(2)}%`;
  return `${title} ${verb}${by}${dayWord && ` ${dayWord}`} at ${figure}${when}.`;
}

const SESSIONS = {
  pre: 'before the market opens',
  open: 'market open',
  post: 'after the close',
  closed: 'market closed',
};

/** When a company reports. */
export function reportLine(report: Report): string {
  const [of, when] = [report.estimated ? ' (an estimate)' : '', HOURS[report.when ?? 'unknown']];
  const eps = report.eps_estimate === null ? '' : ` Analysts expect ${report.eps_estimate.toFixed(2)} a share.`;
  return `${report.symbol} reports on ${day(report.date)}${of}${when}, ${distance(report.market_days)}.${eps}`;
}

const HOURS = { bmo: ' before the market opens', amc: ' after the close', unknown: '' };

function distance(days: number): string {
  if (days === 0) return 'today';
  return days === 1 ? 'the next market day' : `in ${days} market days`;
}

/** "NVDA +3.20%". */
export const move = ({ symbol, change_1d: change }: { symbol: string; change_1d: number }): string =>
  `${symbol} ${percent(change)}`;

/** "“Title” (Publisher, Nov 23, 8:05 AM ET)". */
export const articleLine = ({ title, source, published_at: at }: Article): string =>
  `“${title}” (${source}, ${moment(at)})`;
