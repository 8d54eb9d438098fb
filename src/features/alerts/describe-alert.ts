import { formatChange } from '../../ui/kit/formats.ts';
import { formatPrice, type PriceUnit } from '../../ui/kit/price-formats.ts';
import type { FiredAlert } from './contract.ts';

/** Formats what an alert waits for: `$200.00 or above`, `5% or more`. */
export const formatThreshold = ({
  kind,
  threshold,
  ...unit
}: Pick<FiredAlert, 'kind' | 'threshold'> & PriceUnit): string =>
  kind === 'move' ? `${threshold}% or more` : `${formatPrice(threshold, unit)} or ${kind}`;

type Described<Field extends keyof FiredAlert> = Pick<FiredAlert, Field | 'change_1d' | 'currency' | 'price_unit'>;

/** Describes why an alert fired, with its symbol: `AAPL rose to $200.00 or above`. */
export const describeFiringWithSymbol = (alert: Described<'symbol' | 'kind' | 'threshold'>): string =>
  `${alert.symbol} ${describeFiring(alert)}`;

/** Describes why an alert fired, without its symbol: `rose to $200.00 or above`. */
export function describeFiring(alert: Described<'kind' | 'threshold'>): string {
  const { kind, change_1d: change } = alert;
  if (kind === 'move') return `${change !== null && change < 0 ? 'fell' : 'rose'} ${formatThreshold(alert)}`;
  return `${kind === 'above' ? 'rose' : 'fell'} to ${formatThreshold(alert)}`;
}

/** Describes the price that fired an alert, beside its formatted time: `$201.20 (+1.20%) · Nov 20, 2026, 10:15 AM`. */
export function describePrice(alert: Described<'price'>, time: string): string {
  const move = alert.change_1d === null ? '' : ` (${formatChange(alert.change_1d)})`;
  return `${formatPrice(alert.price, alert)}${move} · ${time}`;
}
