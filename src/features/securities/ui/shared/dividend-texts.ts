import type { DividendStatus } from '../../../portfolio/dividends/contract.ts';
import { formatMoney, getSmallAmountDecimals } from '../../../../ui/kit/formats.ts';

/** Words for what a payment is: an estimate, announced, or past. */
export const statusLabels: Readonly<Record<DividendStatus, string>> = {
  expected: 'Expected',
  declared: 'Declared',
  paid: 'Paid',
};

/** All of them, oldest first. */
export const dividendStatuses = ['paid', 'declared', 'expected'] as const;

/** Formats an amount per share with up to four decimals: `$0.2575`. */
export function formatPerShare({ amount, currency }: { amount: number; currency: string }): string {
  return formatMoney(amount, currency, Math.max(2, getSmallAmountDecimals(amount) ?? countDecimals(amount)));
}

const countDecimals = (amount: number): number => Math.min(4, String(amount).split('.')[1]?.length ?? 0);
