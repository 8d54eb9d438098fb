import type { PortfolioHolding } from '../../contract.ts';
import { calculateYields, type Yields } from '../../calculate-yields.ts';
import { toDecimalText } from '../../holding-figures.ts';

/** Income of the next twelve months by the id of the holding, in the base currency. */
export type Incomes = ReadonlyMap<string, number>;

/** Returns the yields of holdings. Null if they are unknown, or if none of the holdings pays. */
export const calculateHoldingYields = (holdings: readonly PortfolioHolding[], incomes: Incomes): Yields =>
  calculateYields(
    holdings.map(({ id, base }) => ({
      income: toDecimalText(incomes.get(id)),
      value: toDecimalText(base?.value),
      cost: toDecimalText(base?.cost_basis),
    })),
  );
