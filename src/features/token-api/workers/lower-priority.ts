import { constants, setPriority } from 'node:os';

/**
 * Lowers the priority of the calling thread: where all cores are busy a small request goes first. Only Linux sets the
 * priority of one thread by this call; elsewhere it would be the whole process's.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A sandbox may forbid it; then all threads are equal.
  }
}
