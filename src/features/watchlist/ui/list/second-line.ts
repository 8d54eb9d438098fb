import { formatChange, formatCompactMoney } from '../../../../ui/kit/formats.ts';
import { formatPriceChange } from '../../../../ui/shell/market/price-formats.ts';
import type { ActiveItem } from '../../contract.ts';

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
      return { text: orDash(item.change_1d, formatChange), direction: directionOf(item.change_1d) };
    case 'amount': {
      const format = (change: number): string => formatPriceChange(change, item);
      const text = orDash(item.change_amount, format);
      // As it is shown: what rounds to nothing went nowhere.
      return { text, direction: directionOf(/[1-9]/.test(text) ? Math.sign(item.change_amount ?? 0) : 0) };
    }
    case 'cap': {
      const format = (cap: number): string => formatCompactMoney(cap, item.currency ?? 'USD');
      return { text: orDash(item.market_cap, format), direction: 'none' };
    }
  }
}

const orDash = (value: number | null, format: (value: number) => string): string =>
  value === null ? '–' : format(value);

export const tones = { up: 'text-gain', down: 'text-loss', none: 'text-ink-faint' } as const;

/** Which way a change in percent went, as it is shown: what rounds to nothing went nowhere. */
export function directionOf(change: number | null): SecondLine['direction'] {
  if (change === null || Math.abs(change) < 0.005) return 'none';
  return change > 0 ? 'up' : 'down';
}
