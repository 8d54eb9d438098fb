import { afterEach, beforeEach, vi } from 'vitest';
import { isTimeUp, TIME_IS_UP } from './time-limit.ts';

// A retry is not skipped, since its test has failed.
beforeEach((t) => t.skip(isTimeUp() && !t.task.result?.retryCount, TIME_IS_UP));

// A fake clock of one test would otherwise remain in the next tests.
afterEach(() => {
  vi.useRealTimers();
});
