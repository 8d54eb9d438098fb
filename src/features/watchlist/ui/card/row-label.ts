import { formatChange } from '../../../../ui/kit/formats.ts';
import { formatMarketDaysAhead } from '../../../../ui/kit/new-york-time.ts';
import { formatPrice } from '../../../../ui/kit/price-formats.ts';
import type { ActiveItem } from '../../contract.ts';
import { type LineChoice, formatSecondLine } from '../list/second-line.ts';
import { computeChangePercent } from '../../../../ui/kit/price-changes.ts';
import { filterClosesSince } from '../list/closes.ts';

/**
 * Returns the accessible label of a row: symbol, name, price, day change, change since the month's first day, next
 * report.
 */
export function formatRowLabel(
  item: ActiveItem,
  line: LineChoice,
  report: { date: string; market_days: number } | undefined,
  since: string,
): string {
  const monthChange = computeChangePercent(filterClosesSince(item.closes, since));
  return [
    item.symbol,
    item.name,
    item.price === null ? 'no price yet' : formatPrice(item.price, item),
    formatDayChange(item),
    line === 'cap' && item.market_cap !== null && `market cap ${formatSecondLine(item, 'cap').text}`,
    monthChange !== null && `one month ${formatChange(monthChange)}`,
    report !== undefined && `reports ${formatMarketDaysAhead(report.date, report.market_days)}`,
    item.held && 'held',
  ]
    .filter((part) => typeof part === 'string')
    .join(', ');
}

/** Formats the change of the last market day, which can be before today. */
function formatDayChange(item: ActiveItem): string | false {
  if (item.change_1d === null) return false;
  const { text, direction } = formatSecondLine(item, 'percent');
  const figure = text.replace(/^[+\u2212]/, '');
  return direction === 'none' ? 'unchanged on the day' : `${direction} ${figure} on the day`;
}
