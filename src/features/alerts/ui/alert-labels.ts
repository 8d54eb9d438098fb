import { formatChange } from '../../../ui/kit/formats.ts';
import { formatPrice, type PriceUnit } from '../../../ui/kit/price-formats.ts';
import type { Alert } from '../contract.ts';
import { formatThreshold } from '../describe-alert.ts';

/** Describes what an alert waits for: `At $200.00 or above`. */
export const describeTerms = (alert: Pick<Alert, 'kind' | 'threshold'> & PriceUnit): string =>
  alert.kind === 'move' ? `Moves ${formatThreshold(alert)} in a day` : `At ${formatThreshold(alert)}`;

interface PricedSecurity extends PriceUnit {
  symbol: string;
  price: number | null;
  /** Move of the last price's day in percent. */
  change_1d: number | null;
}

/**
 * Says that the last price already meets a threshold: `AAPL is at $231.10, already above $200.00: the alert fires at the
 * next price.` The move of a day starts anew on the next one. Returns undefined if the threshold is not met, or if no
 * price or move is known.
 */
export function describeMetThreshold(
  security: PricedSecurity,
  kind: Alert['kind'],
  threshold: number,
): { state: string; firing: string } | undefined {
  const { symbol, price, change_1d: change } = security;
  if (threshold <= 0) return undefined;
  if (kind === 'move') {
    if (change === null || Math.abs(change) < threshold) return undefined;
    return {
      state: `${symbol} has moved ${formatChange(change)}, already ${threshold}% or more`,
      firing: 'fires at the next price of the same day',
    };
  }
  if (price === null || (kind === 'above' ? price < threshold : price > threshold)) return undefined;
  const relation = price === threshold ? 'at' : kind;
  return {
    state: `${symbol} is at ${formatPrice(price, security)}, already ${relation} ${formatPrice(threshold, security)}`,
    firing: 'fires at the next price',
  };
}

export const repeatLabels: Readonly<Record<Alert['repeats'], string>> = { once: 'Once', daily: 'Each day' };
