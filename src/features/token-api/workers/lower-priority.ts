import { constants, setPriority } from 'node:os';

/**
 * Lowers the priority of the calling thread, so small requests go first when all cores are busy. Only Linux changes a
 * single thread with this call. Other systems change the whole process.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A sandbox may forbid the call. Then all threads have one priority.
  }
}
