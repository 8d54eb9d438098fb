// Runs in a process of its own: what stands in for a browser's page are globals.

import assert from 'node:assert/strict';
import { test } from 'vitest';
import '../../../../../test/support/page-stub.ts';
import { defaultChoices, parseChoices } from './view-choices.ts';

test('what was stored is read again; whatever is no choice of today counts as never chosen', () => {
  assert.deepEqual(parseChoices('{"sort":"losers","line":"cap"}'), { sort: 'losers', line: 'cap' });
  for (const stored of [null, '', '{', 'null', '7', '[]', '{"sort":"toString","line":3}'])
    assert.deepEqual(parseChoices(stored), defaultChoices);
});
