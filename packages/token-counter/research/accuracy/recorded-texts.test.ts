import assert from 'node:assert/strict';
import { test } from 'vitest';
import { recordingFor } from '../../../../test/support/recordings.ts';
import { compareTexts } from './recorded-texts.ts';

test('counts whole documents exactly like the real service', { tags: ['slow'] }, (t) => {
  const folder = recordingFor(t, 'texts');
  if (folder === undefined) return;
  const compared = compareTexts(folder);
  assert.ok(compared.reduce((sum, { equal }) => sum + equal, 0) > 1_000, 'there was something to compare');
  assert.deepEqual(
    compared.flatMap(({ set, family, misses }) => misses.map((miss) => `${set} ${family}: ${miss}`)),
    [],
  );
});
