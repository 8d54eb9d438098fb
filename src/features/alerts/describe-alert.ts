import type { FiredRow } from './queries.ts';

const writeAmount = (value: number, { currency, price_unit: unit }: FiredRow): string => {
  if (unit === 'percent_of_par') return `${value}% of par`;
  const options = { maximumFractionDigits: value < 1 ? 6 : 2 };
  return currency === null
    ? new Intl.NumberFormat('en-US', options).format(value)
    : new Intl.NumberFormat('en-US', { style: 'currency', currency, ...options }).format(value);
};

/** Describes why an alert fired: `AAPL rose to $200.00 or more`. */
export function describeFired(alert: FiredRow): string {
  const { symbol, kind, threshold, change_1d: change } = alert;
  if (kind === 'move')
    return `${symbol} ${change !== null && change < 0 ? 'fell' : 'rose'} ${threshold}% or more today`;
  return kind === 'above'
    ? `${symbol} rose to ${writeAmount(threshold, alert)} or more`
    : `${symbol} fell to ${writeAmount(threshold, alert)} or less`;
}

/** Describes the price that fired an alert, with its time, and whether it was old or sample data. */
export function describePrice(alert: FiredRow): string {
  const { price, change_1d: change, price_at: priceAt } = alert;
  const sign = change !== null && change > 0 ? '+' : '';
  const move = change === null ? '' : ` (${sign}${change.toFixed(2)}%)`;
  const time = new Intl.DateTimeFormat('en-US', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'America/New_York',
  }).format(priceAt);
  const marks = [...(alert.stale ? ['older price'] : []), ...(alert.sample ? ['sample data'] : [])];
  return `${[`${writeAmount(price, alert)}${move}, ${time} New York time`, ...marks].join(', ')}`;
}
