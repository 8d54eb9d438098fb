/**
 * Runs `run` while no other page of this browser holds the lock of this name. Pages run one after another, and a closed
 * page releases its lock. Web Locks exist only on https and localhost. Elsewhere `run` starts at once.
 */
export async function withWebLock<T>(name: string, run: () => Promise<T>): Promise<T> {
  const locks = navigator.locks as LockManager | undefined;
  return locks ? locks.request(name, run) : run();
}
