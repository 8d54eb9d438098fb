import assert from 'node:assert/strict';
import { test, vi } from 'vitest';

vi.stubGlobal('navigator', { userAgent: 'Linux' });
const { listShortcuts } = await import('./list-shortcuts.ts');

const listKeys = (hasRows: boolean, maySetAlerts: boolean): string[] =>
  listShortcuts({ hasRows, maySetAlerts }).shortcuts.map(([keys]) => keys);

test('lists the keys of rows and of alerts only where they work', () => {
  assert.deepEqual(listKeys(true, true), ['/', '↑ ↓', 'Home, End', 'Enter', 'A', 'Ctrl Z']);
  assert.deepEqual(listKeys(true, false), ['/', '↑ ↓', 'Home, End', 'Enter', 'Ctrl Z']);
  assert.deepEqual(listKeys(false, true), ['/', 'Ctrl Z']);
});
