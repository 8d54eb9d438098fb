/**
 * Runs `work` while no other page of this browser runs work under the same name; they wait for one another, and a page
 * that is closed waits no longer. Locks are there on https and localhost only; elsewhere `work` runs at once.
 */
export async function withWebLock<T>(name: string, run: () => Promise<T>): Promise<T> {
  const locks = navigator.locks as LockManager | undefined;
  return locks ? locks.request(name, run) : run();
}
