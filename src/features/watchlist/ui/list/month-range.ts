import { formatPrice } from '../../../../ui/kit/price-formats.ts';
import { computePriceRange } from '../../../../ui/kit/price-range.ts';
import type { ActiveItem } from '../../contract.ts';
import { filterClosesSince } from './closes.ts';

/** Formats the range of the closes since a day and of the current price. Null without closes. */
export function formatMonthRange(item: ActiveItem, since: string): string | null {
  const closes = filterClosesSince(item.closes, since) ?? [];
  const range = computePriceRange(
    closes.map(([, close]) => close),
    [item.price],
  );
  return range && `${formatPrice(range.low, item)} – ${formatPrice(range.high, item)}`;
}
