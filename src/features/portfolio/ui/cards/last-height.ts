import { type RefObject, useEffect, useState } from 'react';
import { readStored, writeStored } from '../../../../ui/kit/browser-storage.ts';

const getKey = (card: string): string => `tally.height.${card}`;

/** Returns the height in pixels that a card had on the last page load of this browser. Null if it is unknown. */
export const readLastHeight = (card: string): number | null => Number(readStored(getKey(card))) || null;

/** Returns the last height of a card, and stores the height with these data for the next page load. */
export function useLastHeight(
  card: string | undefined,
  element: RefObject<HTMLElement | null>,
  data: unknown,
): number | null {
  const [lastHeight] = useState(() => (card === undefined ? null : readLastHeight(card)));
  useEffect(() => {
    // The next page load shows the list collapsed.
    if (card === undefined || data === undefined || element.current?.querySelector('[aria-expanded="true"]')) return;
    writeStored(getKey(card), String(element.current?.offsetHeight));
  }, [card, element, data]);
  return lastHeight;
}
