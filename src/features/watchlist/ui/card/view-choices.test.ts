// @module-tag alone
// Runs in a separate process, because the test replaces globals with browser stubs.

import assert from 'node:assert/strict';
import { test } from 'vitest';
import '../../../../../test/support/page-stub.ts';
import { defaultChoices, parseChoices } from './view-choices.ts';

test('reads stored choices and ignores values that no longer exist', () => {
  assert.deepEqual(parseChoices('{"sort":"losers","line":"cap"}'), { sort: 'losers', line: 'cap' });
  for (const stored of [null, '', '{', 'null', '7', '[]', '{"sort":"toString","line":3}'])
    assert.deepEqual(parseChoices(stored), defaultChoices);
});
