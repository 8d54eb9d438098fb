import { useEffect } from 'react';
import { demoTour } from '../../../../ui/shell/session/demo-tour.ts';
import { useAddSymbol } from './add-item.ts';
import { offlineAdds } from './offline-add-queue.ts';

/** Sends what was added offline and not sent before the page was closed. */
export function useReplayOfflineAdds(): void {
  const { mutate } = useAddSymbol();
  useEffect(() => {
    if (!demoTour.get()) for (const security of offlineAdds.claim()) mutate({ security });
  }, [mutate]);
}

/** Sends it once the list has been read. Nothing is drawn: the rows show it. */
export default function ReplayOfflineAdds(): null {
  useReplayOfflineAdds();
  return null;
}
