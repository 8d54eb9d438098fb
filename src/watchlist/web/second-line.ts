import { formatChange, formatCompactMoney } from '../../web/lib/formats.ts';
import { formatPriceChange } from '../../web/lib/price-formats.ts';
import type { ActiveItem } from '../contract.ts';

/** What the second line under the price can show, in the order in which it cycles. */
export const lineLabels = { percent: 'Day %', amount: 'Day $', cap: 'Market cap' } as const;
export type LineChoice = keyof typeof lineLabels;
const cycle = Object.keys(lineLabels) as LineChoice[];

/** The choice that follows. */
export function nextLine(choice: LineChoice): LineChoice {
  return cycle[(cycle.indexOf(choice) + 1) % cycle.length] ?? 'percent';
}

interface SecondLine {
  text: string;
  direction: 'up' | 'down' | 'none';
}

/** The row's second line; a dash where the feed brings no day move (funds, bonds) or no market cap. */
export function secondLine(item: ActiveItem, choice: LineChoice): SecondLine {
  switch (choice) {
    case 'percent':
      return {
        text: item.change_1d === null ? '–' : formatChange(item.change_1d),
        direction: directionOf(item.change_1d),
      };
    case 'amount':
      return {
        text: item.change_amount === null ? '–' : formatPriceChange(item.change_amount, item),
        direction: directionOf(item.change_amount),
      };
    case 'cap':
      return {
        text: item.market_cap === null ? '–' : formatCompactMoney(item.market_cap, item.currency ?? 'USD'),
        direction: 'none',
      };
  }
}

/** Which way a change went, as it is shown: what rounds to nothing went nowhere. */
export function directionOf(change: number | null): SecondLine['direction'] {
  if (change === null || Math.abs(change) < 0.005) return 'none';
  return change > 0 ? 'up' : 'down';
}
