import type { PortfolioHolding } from '../../contract.ts';

/** Returns the ids of holdings, which name them in an explanation. */
export const listIds = (holdings: readonly PortfolioHolding[]): string[] => holdings.map(({ id }) => id);
