import type { Price, Tier } from '../contract.ts';
import { formatMinorUnits } from '../minor-units.ts';

export const tierNames: Readonly<Record<Tier, string>> = { free: 'Free', pro: 'Pro', max: 'Max' };

/** Formats a price: `$9.99 a month`. */
export const formatPrice = ({ amount_minor: amount, currency, interval }: Price): string =>
  `${formatMinorUnits(amount, currency)} a ${interval}`;
