import { formatChange, formatMoment } from '../../../ui/kit/formats.ts';
import { formatPrice, type PriceUnit } from '../../../ui/kit/price-formats.ts';
import type { Alert, FiredAlert } from '../contract.ts';

/** Describes what an alert waits for: `At $200.00 or above`. */
export function describeTerms({ kind, threshold, ...unit }: Pick<Alert, 'kind' | 'threshold'> & PriceUnit): string {
  if (kind === 'move') return `Moves ${threshold}% or more in a day`;
  return `At ${formatPrice(threshold, unit)} or ${kind}`;
}

export const repeatLabels: Readonly<Record<Alert['repeats'], string>> = { once: 'Once', daily: 'Each day' };

/** Describes why an alert fired: `AAPL rose to $200.00 or above`. */
export function describeFired(alert: FiredAlert): string {
  const { symbol, kind, threshold, change_1d: change } = alert;
  if (kind === 'move') return `${symbol} ${change !== null && change < 0 ? 'fell' : 'rose'} ${threshold}% or more`;
  return `${symbol} ${kind === 'above' ? 'rose' : 'fell'} to ${formatPrice(threshold, alert)} or ${kind}`;
}

/** Describes the price that fired an alert, and its time: `$201.20 (+1.20%) · Nov 20, 2026, 10:15 AM`. */
export function describePrice(alert: FiredAlert): string {
  const move = alert.change_1d === null ? '' : ` (${formatChange(alert.change_1d)})`;
  return `${formatPrice(alert.price, alert)}${move} · ${formatMoment(alert.price_at)}`;
}
