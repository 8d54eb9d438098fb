import { afterEach, vi } from 'vitest';

// A fake clock of one test would otherwise remain in the next tests.
afterEach(() => {
  vi.useRealTimers();
});
