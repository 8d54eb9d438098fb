import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** Says that the device is offline, for as long as it is. */
export function OfflineBar() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div role="status">
      {!online && (
        <p className="border-b border-line bg-warn-soft px-4 py-2 text-center text-small font-medium text-warn">
          You are offline. What you see may be old; what you type stays here.
        </p>
      )}
    </div>
  );
}
