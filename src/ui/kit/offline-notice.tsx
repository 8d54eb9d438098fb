/** Stands in place of content that cannot load while the device is offline. */
export const OfflineNotice = () => (
  <p role="status" className="mt-4 rounded-control bg-warn-soft px-4 py-3 text-small text-warn">
    You are offline. This will load when you are back online.
  </p>
);
