import { dividendStatuses } from '../../../securities/ui/shared/dividend-texts.ts';
import { formatFigure, formatMonth } from '../../../../ui/kit/formats.ts';
import type { DividendsResponse } from '../contract.ts';

/** Formats a yield in percent: `2.31%`. */
export const formatYield = (percent: number): string => `${formatFigure(percent, 2)}%`;

/** Formats a month with its amounts: `February 2027: declared $10.00, expected $24.20`. */
export function describeMonth(
  amounts: DividendsResponse['months'][number],
  format: (amount: number) => string,
): string {
  const parts = dividendStatuses.flatMap((status) =>
    amounts[status] === 0 ? [] : [`${status} ${format(amounts[status])}`],
  );
  return `${formatMonth(amounts.month)}: ${parts.join(', ') || 'none'}`;
}
