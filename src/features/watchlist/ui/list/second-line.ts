import { formatChange, formatCompactMoney } from '../../../../ui/kit/formats.ts';
import { type ChangeDirection, getDirection } from '../../../../ui/kit/price-changes.ts';
import { formatPriceChange } from '../../../../ui/kit/price-formats.ts';
import type { ActiveItem } from '../../contract.ts';

/** Choices for the second line below the price, in cycle order. */
export const lineLabels = { percent: 'Day %', amount: 'Day $', cap: 'Market cap' } as const;
export type LineChoice = keyof typeof lineLabels;
const lineOrder = Object.keys(lineLabels) as LineChoice[];

/** Returns the next choice. */
export function getNextLine(choice: LineChoice): LineChoice {
  return lineOrder[(lineOrder.indexOf(choice) + 1) % lineOrder.length] ?? 'percent';
}

interface SecondLine {
  text: string;
  direction: ChangeDirection;
}

/**
 * Returns the row's second line. A dash replaces a day change (funds, bonds) or market cap that the feed does not
 * provide.
 */
export function formatSecondLine(item: ActiveItem, choice: LineChoice): SecondLine {
  switch (choice) {
    case 'percent':
      return { text: formatOrDash(item.change_1d, formatChange), direction: getDirection(item.change_1d) };
    case 'amount': {
      const format = (change: number): string => formatPriceChange(change, item);
      const text = formatOrDash(item.change_amount, format);
      // The direction follows the displayed figure. A figure that rounds to zero has no direction.
      return { text, direction: getDirection(/[1-9]/.test(text) ? Math.sign(item.change_amount ?? 0) : 0) };
    }
    case 'cap': {
      const format = (marketCap: number): string => formatCompactMoney(marketCap, item.currency ?? 'USD');
      return { text: formatOrDash(item.market_cap, format), direction: 'none' };
    }
  }
}

const formatOrDash = (value: number | null, format: (value: number) => string): string =>
  value === null ? '–' : format(value);
