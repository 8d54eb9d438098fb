import { readStored, writeStored } from '../../../../ui/kit/browser-storage.ts';
import type { CardId } from '../contract.ts';

/**
 * Classes for the height of a card that does not depend on its data. On phones the controls of the net worth have a line
 * of their own.
 */
export const fixedHeights: Partial<Record<CardId, string>> = {
  net_worth: 'min-h-139.5 sm:min-h-146.5',
};

const HEIGHT_KEY = 'tally.card-height.';

/** Returns the height in px that this browser showed last at this width of the window, which loading reserves. */
export function readCardHeight(id: CardId): number | undefined {
  const stored = readStored(`${HEIGHT_KEY}${id}`);
  if (stored === null) return undefined;
  const [width, height] = stored.split(' ').map(Number);
  return width === window.innerWidth ? height : undefined;
}

/** Stores the height in px of a card with its content. */
export function storeCardHeight(id: CardId, height: number): void {
  writeStored(`${HEIGHT_KEY}${id}`, `${window.innerWidth} ${height}`);
}
