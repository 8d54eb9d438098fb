import assert from 'node:assert/strict';
import { test, vi } from 'vitest';
import { isMissingLogo, recordMissingLogo } from './missing-logos.ts';

test('requests a missing logo again only on the next day', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T09:00:00Z') });
  recordMissingLogo('/api/logos/registry/AB');
  recordMissingLogo('/api/logos/registry/CD');
  assert.equal(isMissingLogo('/api/logos/registry/AB'), true);
  assert.equal(isMissingLogo('/api/logos/registry/A'), false, 'no beginning of another address');
  vi.advanceTimersByTime(14 * 3_600_000);
  assert.equal(isMissingLogo('/api/logos/registry/CD'), true);
  vi.advanceTimersByTime(2 * 3_600_000);
  assert.equal(isMissingLogo('/api/logos/registry/CD'), false);
});
