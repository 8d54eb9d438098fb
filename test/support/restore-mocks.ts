import { afterEach, vi } from 'vitest';

// A clock that a test has set would go on for the tests after it.
afterEach(() => void vi.useRealTimers());
