import { afterEach, beforeEach, vi } from 'vitest';
import { isTimeUp, TIME_IS_UP } from './time-limit.ts';

beforeEach((t) => t.skip(isTimeUp(), TIME_IS_UP));

// A fake clock of one test would otherwise remain in the next tests.
afterEach(() => {
  vi.useRealTimers();
});
