import assert from 'node:assert/strict';
import { test } from 'vitest';
import { safePath } from './safe-path.ts';

test('a path of this site is kept with its query and fragment', () => {
  assert.equal(safePath('/settings?tab=keys#new', '/dashboard'), '/settings?tab=keys#new');
});

for (const next of [
  null,
  '',
  'settings',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  'https://evil.example/',
  '/\t/evil.example',
  '/a\\b',
  'javascript:alert(1)',
  '/\n/evil.example',
]) {
  test(`${JSON.stringify(next)} falls back`, () => {
    assert.equal(safePath(next, '/dashboard'), '/dashboard');
  });
}

test('a path that climbs stays on this site', () => {
  assert.equal(safePath('/../../settings', '/dashboard'), '/settings');
});
