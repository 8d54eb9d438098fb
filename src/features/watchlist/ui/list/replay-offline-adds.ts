import { useEffect } from 'react';
import { demoTour } from '../../../../ui/shell/session/demo-tour.ts';
import { useAddSymbol } from './add-item.ts';
import { offlineAdds } from './offline-add-queue.ts';

/** Sends the adds that were made offline and not sent before the page closed. */
export function useReplayOfflineAdds(): void {
  const { mutate } = useAddSymbol();
  useEffect(() => {
    if (!demoTour.get()) for (const security of offlineAdds.claim()) mutate({ security });
  }, [mutate]);
}

/** Sends the queued adds after the list is loaded. Renders nothing, because the rows show the adds. */
export default function ReplayOfflineAdds(): null {
  useReplayOfflineAdds();
  return null;
}
