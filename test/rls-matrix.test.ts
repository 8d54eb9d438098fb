import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { type RightsFixture, readExpectedRights, openRightsFixture } from './support/rls/rights-fixture.ts';
import { isKilled } from './support/rls/is-killed.ts';
import { listMutants } from './support/rls/mutants.ts';
import type { Rights } from './support/rls/rights.ts';

/** Tables that every member may read: limits of the plans, and the shared catalog. */
const SHARED = new Set([
  'table public.plans',
  'table public.tracked_tickers_latest',
  'table public.listing_copies',
  'view public.listings',
  ...['prices', 'securities'].map((name) => `view assistant.${name}`),
]);
/** Views with their owner's rights over a table without policies. Only a member's own SQL may read them. */
const VIEWS_OVER_PRIVATE_TABLES = new Set(['view assistant.closes']);
const SAMPLE = 24;

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
    'See test/support/rls/expected-rights.txt; a change that is meant is written there by write-expected.ts ' +
    'and reviewed.';
  assert.deepEqual([...found.keys()], [...expected.keys()], `objects came or went. ${advice}`);
  for (const [object, lines] of found) assert.deepEqual(lines, expected.get(object), `${object}. ${advice}`);
});

test('hides every row from other members and from visitors, whatever is granted', () => {
  const tables = [...found].filter(([object]) => /^(table|view) /.test(object));
  assert.ok(tables.length > 20);
  for (const [object, lines] of tables) {
    const findLine = (who: string): string => lines.find((text) => text.trim().startsWith(`${who}:`))?.trim() ?? '';
    if (VIEWS_OVER_PRIVATE_TABLES.has(object)) {
      const granted = ['anon: -', 'authenticated: -', 'service_role: -', 'assistant: select'];
      assert.deepEqual(
        lines.slice(1, 5).map((text) => text.trim()),
        granted,
        object,
      );
      continue;
    }
    assert.ok(lines[0]?.endsWith(' on'), `${object}: row-level security is off`);
    assert.deepEqual(
      lines.filter((text) => /^ +anon:/.test(text)).map((text) => text.trim()),
      ['anon: -', 'anon: nothing'],
      object,
    );
    const others = SHARED.has(object) ? 'sees' : 'nothing';
    assert.equal(findLine('B'), `B: ${others}`, object);
    assert.equal(findLine('no claims'), `no claims: ${others}`, object);
    assert.equal(findLine("B's own SQL"), `B's own SQL: ${others}`, object);
    assert.ok(!lines.some((text) => text.includes('hands to B')), `${object}: a member can give a row away`);
  }
});

test('keeps every client role from the price history table', () => {
  const lines = expected.get('table public.tracked_tickers_historical')!.map((line) => line.trim());
  for (const none of ['anon: -', 'authenticated: -', 'assistant: -', 'A: nothing', "A's own SQL: nothing"])
    assert.ok(lines.includes(none), none);
});

test("runs functions with their caller's rights and, except one, an empty search path", () => {
  for (const [object, lines] of found) {
    const settings = object === 'function public.member_id()' ? 'no settings' : 'search_path=""';
    if (object.startsWith('function '))
      assert.match(lines.join(), new RegExp(`rights of its caller, ${settings}`), object);
  }
});

test('detects a loosened policy, grant, switch, function or role', async () => {
  const mutants = await listMutants(fixture.client);
  assert.ok(mutants.length > 500, `only ${mutants.length} mutants`);
  // The sample is spread evenly over all mutants.
  const sample = Array.from({ length: SAMPLE }, (_, index) => mutants[Math.floor((index * mutants.length) / SAMPLE)]!);
  for (const mutant of sample)
    assert.ok(await isKilled(fixture, expected, mutant), `${mutant.object}: ${mutant.what} goes unnoticed`);
});
