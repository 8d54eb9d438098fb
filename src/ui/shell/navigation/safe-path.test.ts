import assert from 'node:assert/strict';
import { test } from 'vitest';
import { safePath } from './safe-path.ts';

test('keeps a path of this site with its query and fragment', () => {
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
  test(`falls back for ${JSON.stringify(next)}`, () => {
    assert.equal(safePath(next, '/dashboard'), '/dashboard');
  });
}

test('keeps a path with dot segments on this site', () => {
  assert.equal(safePath('/../../settings', '/dashboard'), '/settings');
});
