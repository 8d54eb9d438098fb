import { useEffect } from 'react';
import { demoTour } from '../../../../ui/shell/session/demo-tour.ts';
import { useAddSymbol } from './change-watchlist.ts';
import { claimKept } from './kept-adds.ts';

/** Sends what was added offline and not sent before the page was closed. */
export function useSendKept(): void {
  const { mutate } = useAddSymbol();
  useEffect(() => {
    if (!demoTour.get()) for (const security of claimKept()) mutate({ security });
  }, [mutate]);
}

/** Sends it once the list has been read. Nothing is drawn: the rows show it. */
export default function SendKept(): null {
  useSendKept();
  return null;
}
