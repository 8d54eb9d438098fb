import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { Connection } from '../../contract.ts';
import { formatSyncAge } from './connection-messages.ts';

const NOW = Date.parse('2026-11-26T12:00:00.000Z');
const format = (syncedAt: string | null): string => formatSyncAge({ synced_at: syncedAt } as Connection, NOW);

test('states how long ago figures were read, in the largest whole unit', () => {
  for (const [at, text] of [
    ['2026-11-26T12:00:00.000Z', 'updated just now'],
    ['2026-11-26T11:59:01.000Z', 'updated just now'],
    ['2026-11-26T11:59:00.000Z', 'updated 1 min ago'],
    ['2026-11-26T11:55:00.000Z', 'updated 5 min ago'],
    ['2026-11-26T11:00:01.000Z', 'updated 59 min ago'],
    ['2026-11-26T11:00:00.000Z', 'updated 1 h ago'],
    ['2026-11-25T12:00:01.000Z', 'updated 23 h ago'],
    ['2026-11-25T12:00:00.000Z', 'updated 1 day ago'],
    ['2026-11-20T12:00:00.000Z', 'updated 6 days ago'],
    ['2026-11-19T12:00:00.000Z', 'updated Nov 19, 2026'],
  ] as const)
    assert.equal(format(at), text, at);
});

test('never states a negative age when the clock of the device is slow', () => {
  assert.equal(format('2026-11-26T12:07:00.000Z'), 'updated just now');
});

test('says that figures were never read', () => {
  assert.equal(format(null), 'not updated yet');
});
