import { getMoneyDecimals } from './formats.ts';
import { roundToSum } from './round-parts.ts';

interface Change {
  market: number;
  exchange_rates: number;
  gain: number;
}

/** Returns market and exchange rates of a change, rounded so that they add up to the gain as it is shown. */
export function roundChange({ market, exchange_rates: rates, gain }: Change, currency: string): [number, number] {
  const options = { decimals: getMoneyDecimals(currency), keepsFirst: true };
  return roundToSum([market, rates], gain, options) as [number, number];
}
