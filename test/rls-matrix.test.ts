import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { type RightsFixture, readExpectedRights, openRightsFixture } from './support/rls/rights-fixture.ts';
import type { Rights } from './support/rls/rights.ts';
import { findBrokenRules } from './support/rls/rules.ts';

const expected = readExpectedRights();
let fixture: RightsFixture;
let found: Rights;
beforeAll(async () => {
  fixture = await openRightsFixture();
  found = await fixture.findRightsAfter(undefined);
});
afterAll(() => fixture.close());

test('grants every role exactly the rights of the committed table', () => {
  const advice =
    'See test/support/rls/expected-rights.txt; a change that is meant is written there by "npm run schema" ' +
    'and reviewed.';
  assert.deepEqual([...found.keys()], [...expected.keys()], `objects came or went. ${advice}`);
  for (const [object, lines] of found) assert.deepEqual(lines, expected.get(object), `${object}. ${advice}`);
});

test('keeps the rules of every table, function, role and schema', () => {
  assert.ok(found.size > 150);
  assert.deepEqual(findBrokenRules(found), []);
});

test('keeps every client role from the price history table', () => {
  const lines = expected.get('table public.tracked_tickers_historical')!.map((line) => line.trim());
  for (const none of ['anon: -', 'authenticated: -', 'assistant: -', 'A: nothing', "A's own SQL: nothing"])
    assert.ok(lines.includes(none), none);
});
