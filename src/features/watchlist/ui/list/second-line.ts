import { formatChange, formatCompactMoney } from '../../../../ui/kit/formats.ts';
import { formatPriceChange } from '../../../../ui/shell/market/price-formats.ts';
import type { ActiveItem } from '../../contract.ts';

/** What the second line under the price can show, in the order in which it cycles. */
export const lineLabels = { percent: 'Day %', amount: 'Day $', cap: 'Market cap' } as const;
export type LineChoice = keyof typeof lineLabels;
const lineOrder = Object.keys(lineLabels) as LineChoice[];

/** The choice that follows. */
export function getNextLine(choice: LineChoice): LineChoice {
  return lineOrder[(lineOrder.indexOf(choice) + 1) % lineOrder.length] ?? 'percent';
}

interface SecondLine {
  text: string;
  direction: 'up' | 'down' | 'none';
}

/** The row's second line; a dash where the feed brings no day move (funds, bonds) or no market cap. */
export function formatSecondLine(item: ActiveItem, choice: LineChoice): SecondLine {
  switch (choice) {
    case 'percent':
      return { text: formatOrDash(item.change_1d, formatChange), direction: getDirection(item.change_1d) };
    case 'amount': {
      const format = (change: number): string => formatPriceChange(change, item);
      const text = formatOrDash(item.change_amount, format);
      // As it is shown: what rounds to nothing went nowhere.
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

export const toneClasses = { up: 'text-gain', down: 'text-loss', none: 'text-ink-faint' } as const;

/** Which way a change in percent went, as it is shown: what rounds to nothing went nowhere. */
export function getDirection(change: number | null): SecondLine['direction'] {
  if (change === null || Math.abs(change) < 0.005) return 'none';
  return change > 0 ? 'up' : 'down';
}
