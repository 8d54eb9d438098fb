import type { CardId } from '../contract.ts';

/**
 * Classes for the height of cards that differ from the usual one, also while their place is held for them. On phones the
 * controls of the net worth have a line of their own. Accounts have few rows.
 */
export const cardHeights: Partial<Record<CardId, string>> = {
  net_worth: 'min-h-139.5 sm:min-h-146.5 lg:min-h-141.5',
  accounts: 'min-h-58.5',
};
