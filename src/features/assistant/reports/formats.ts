import { formatChange } from '../../../ui/kit/formats.ts';
import { formatAmount } from '../../../ui/kit/price-formats.ts';
import type { Report } from '../../portfolio/dashboard/contract.ts';

/** Texts of reports that screens do not have. Figures and times have the formats of the screens. */

/** Text of a missing cell, as on screens. */
const MISSING_CELL = '–';

/** Formats a cell, or a dash if its value is missing. */
export const formatCell = <Value>(value: Value | null, format: (value: Value) => string): string =>
  value === null ? MISSING_CELL : format(value);

/** Formats a change in percent without sign: `−2.38` → `2.38%`. */
export const formatUnsignedChange = (change: number): string => formatChange(Math.abs(change)).replace('+', '');

/** Formats an estimate of earnings per share with its currency, or says that its source names none. */
export const formatEstimate = ({ eps_estimate: estimate, eps_currency: currency }: EpsEstimate): string => {
  if (estimate === null) return MISSING_CELL;
  return `${formatAmount(estimate, currency)}${currency === null ? ' (no currency named)' : ''}`;
};

type EpsEstimate = Pick<Report, 'eps_estimate' | 'eps_currency'>;
