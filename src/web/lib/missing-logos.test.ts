import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMissingLogo, noteMissingLogo } from './missing-logos.ts';

test('a logo that is not there is asked for again on the next day, and not before', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-20T09:00:00Z') });
  noteMissingLogo('/api/logos/registry/AB');
  noteMissingLogo('/api/logos/registry/CD');
  assert.equal(isMissingLogo('/api/logos/registry/AB'), true);
  assert.equal(isMissingLogo('/api/logos/registry/A'), false, 'no beginning of another address');
  t.mock.timers.tick(14 * 3_600_000);
  assert.equal(isMissingLogo('/api/logos/registry/CD'), true);
  t.mock.timers.tick(2 * 3_600_000);
  assert.equal(isMissingLogo('/api/logos/registry/CD'), false);
});
