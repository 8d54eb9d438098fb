import { roundParts } from '../../../../ui/kit/round-parts.ts';
import type { BaseNetWorth } from '../contract.ts';

type NetWorthAmounts = Pick<BaseNetWorth, 'cash' | 'liabilities' | 'investments' | 'total'>;

/**
 * Returns the parts of net worth as they are shown: they add up to the total. Investments keep their own rounding, since
 * they are the total of the holdings.
 */
export function roundNetWorth(
  { investments, cash, liabilities, total }: NetWorthAmounts,
  currency: string,
): NetWorthAmounts {
  const rounded = roundParts([investments, cash, liabilities], total, currency, { keepsFirst: true });
  return { investments: rounded[0]!, cash: rounded[1]!, liabilities: rounded[2]!, total };
}
