import type { ListState } from '../contract.ts';

const SHORT = 5;

/** Whether a row for adding stands under the list: up to five tickers, room under the plan, nothing locked. */
export const isShort = ({ item_count: count, limit, locked_count: locked }: ListState): boolean =>
  count <= SHORT && count < limit && locked === 0;
