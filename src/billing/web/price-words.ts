import { formatMoney } from '../../web/lib/formats.ts';
import type { Price } from '../contract.ts';

/** An amount in the smallest unit of its currency: `999 USD` → `$9.99`. */
export function minorWords(amount: number, currency: string): string {
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  return formatMoney(amount / 10 ** digits, currency);
}

/** `$9.99 a month` */
export const priceWords = ({ amount_minor: amount, currency, interval }: Price): string =>
  `${minorWords(amount, currency)} a ${interval}`;
