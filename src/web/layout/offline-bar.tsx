import { useSyncExternalStore } from 'react';

/** When the device lost the network, as the clock on its wall. */
let since = navigator.onLine ? '' : clock();

function clock(): string {
  return new Date().toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' });
}

function subscribe(listener: () => void): () => void {
  const lost = (): void => {
    since = clock();
    listener();
  };
  addEventListener('online', listener);
  addEventListener('offline', lost);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', lost);
  };
}

/** Says that the device is offline, for as long as it is. */
export function OfflineBar() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div role="status">
      {!online && (
        <p className="border-b border-line bg-warn-soft px-4 py-2 text-center text-small font-medium text-warn">
          {`You are offline. What you see is as of ${since}; what you type stays here.`}
        </p>
      )}
    </div>
  );
}
